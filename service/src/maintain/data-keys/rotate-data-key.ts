import type pg from 'pg'
import { inTransaction } from '../../platform/postgres/run-transaction.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { Vaults } from '../../platform/postgres/vault.ts'
import { countOtherKeys, resealBatch, type SealedColumn } from './reseal.sql.ts'

export interface DataKeyRotation {
  readonly isNewKey: boolean
  readonly resealed: number
  /** Values under an older key: their rows were locked, or written by a process meanwhile, or they are damaged. */
  readonly rowsLeft: number
  readonly oldKeysDropped: number
  readonly oldKeysLeft: number
}

interface RotationContext {
  /** Stops batches, as in inTransaction, from changing the rows that a tenant leaves behind when it moves. */
  readonly epoch: string | undefined
  readonly vaults: Vaults
  readonly columns: readonly SealedColumn[]
  readonly onProgress: (resealed: number) => void
  /** Records a change in the transaction that makes it. */
  readonly audit: (tx: Transaction, action: `tenant.${string}`, after?: Record<string, number>) => Promise<void>
}

/**
 * Gives a tenant a new data key, re-encrypts everything with it, and drops the older keys once nothing needs them.
 * Needs the login that owns the tables: the service may not change most of these columns. Each batch commits by itself,
 * so the next run continues one that was stopped, and the service keeps running. A process may use an older key for a
 * while, so only a run that starts half an hour later drops it.
 */
export async function rotateDataKey(
  pool: pg.Pool,
  tenantId: string,
  context: RotationContext,
): Promise<DataKeyRotation> {
  const { epoch, vaults, columns, audit } = context
  const inWrite = <Result>(work: (tx: Transaction) => Promise<Result>) =>
    inTransaction(pool, { access: 'write', identity: { tenantId }, epoch, msMax }, work)

  const { isNewKey, keyId } = await inWrite(async (tx) => {
    const { ids } = await vaults.storedKeys(tx, tenantId)
    // An older key remains from an unfinished run: this one continues it.
    if (ids.length > 1) return { isNewKey: false, keyId: ids[0] ?? '' }
    await vaults.addKey(tx, tenantId)
    await audit(tx, 'tenant.data_key_rotated')
    return { isNewKey: true, keyId: (await vaults.storedKeys(tx, tenantId)).ids[0] ?? '' }
  })

  const key = { tenantId, keyId }
  let [resealed, rowsLeft] = [0, 0]
  for (let pass = 0; pass < passesMax; pass += 1) {
    for (const column of columns) {
      let after: readonly unknown[] | undefined
      do {
        const batch = await inWrite((tx) => resealBatch(tx, vaults.of(tx, tenantId), column, { ...key, after }))
        resealed += batch.resealed
        after = batch.last
        context.onProgress(resealed)
      } while (after)
    }
    rowsLeft = await inWrite((tx) => countOtherKeys(tx, columns, key))
    if (rowsLeft === 0) break
  }

  return inWrite(async (tx) => {
    const { ids, isSettled } = await vaults.storedKeys(tx, tenantId)
    const oldKeys = ids.length - 1
    // Counts again in this transaction: until `isSettled`, a process may have written with an older key.
    const left = await countOtherKeys(tx, columns, key)
    if (left > 0 || !isSettled || oldKeys === 0)
      return { isNewKey, resealed, rowsLeft: left, oldKeysDropped: 0, oldKeysLeft: oldKeys }
    const oldKeysDropped = await vaults.dropOldKeys(tx, tenantId, keyId)
    await audit(tx, 'tenant.data_keys_dropped', { dropped: oldKeysDropped })
    return { isNewKey, resealed, rowsLeft: 0, oldKeysDropped, oldKeysLeft: oldKeys - oldKeysDropped }
  })
}

// Counting reads every row of the tenant.
const msMax = 600_000
/** Rows that were locked during one pass are usually free during the next. */
const passesMax = 3
