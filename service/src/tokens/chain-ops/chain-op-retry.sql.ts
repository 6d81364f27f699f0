import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { type ChainOp, enqueueChainOp, type NewChainOp } from './chain-op.sql.ts'

/** The most recent op for the same purpose: the original, or its last retry; and how many there are in total. */
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

/** A failed op that was retried is no longer work for operators. The caller has locked it. */
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
