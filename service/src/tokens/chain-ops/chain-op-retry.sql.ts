import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { type ChainOp, enqueueChainOp, type NewChainOp } from './chain-op.sql.ts'

/** Finds the latest op for the same purpose, which is the original or its last retry, and counts all of them. */
export function findLatestTry(
  tx: Transaction,
  { tenantId, dedupeKey }: Pick<ChainOp, 'tenantId' | 'dedupeKey'>,
): Promise<(Pick<ChainOp, 'id' | 'state'> & { tries: number }) | undefined> {
  const original = originalKey(dedupeKey)
  return tx.row(sql`
    select id, state, (count(*) over ())::int as tries from cell.chain_op
    where tenant_id = ${tenantId} and (dedupe_key = ${original} or starts_with(dedupe_key, ${`${original}:retry:`}))
    order by created_at desc limit 1`)
}

/** Enqueues the op again. Two callers who saw the same number of tries get the same op. */
export function enqueueRetry(tx: Transaction, op: NewChainOp, tries: number): Promise<string> {
  return enqueueChainOp(tx, { ...op, dedupeKey: `${originalKey(op.dedupeKey)}:retry:${tries}` })
}

/** Removes a retried op from the work of operators. The caller has locked it. */
export async function setChainOpHandled(
  tx: Transaction,
  { tenantId, id }: Pick<ChainOp, 'tenantId' | 'id'>,
  now: Date,
): Promise<void> {
  await tx.rows(sql`
    update cell.chain_op set handled_at = ${now} where tenant_id = ${tenantId} and id = ${id}`)
}

function originalKey(dedupeKey: string): string {
  return dedupeKey.replace(/:retry:\d+$/, '')
}
