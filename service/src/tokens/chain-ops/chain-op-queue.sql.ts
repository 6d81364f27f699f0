import type { Hash } from 'viem'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { type ChainOp, enqueueChainOp, type NewChainOp } from './chain-op.sql.ts'

/** What a person wants of an op, for the next look, which is now. */
export async function askOfOp(
  tx: Transaction,
  { tenantId, id }: ChainOp,
  wish: 'bump' | 'cancel' | 'look',
  now: Date,
): Promise<void> {
  const change: Record<typeof wish, Sql> = {
    bump: sql`is_bumping = true,`,
    cancel: sql`is_cancelling = true,`,
    look: sql``,
  }
  await tx.rows(sql`
    update cell.chain_op set ${change[wish]} look_at = least(look_at, ${now})
    where tenant_id = ${tenantId} and id = ${id}`)
}

/** False where this transaction is an attempt already, at this op or at another one. */
export async function insertForeignAttempt(tx: Transaction, { tenantId, id }: ChainOp, hash: Hash): Promise<boolean> {
  const inserted = await tx.row(sql`
    insert into cell.chain_tx (tenant_id, hash, op_id, attempt, is_foreign)
    select ${tenantId}::uuid, ${hash}::text, ${id}::uuid, coalesce(max(attempt), 0) + 1, true
    from cell.chain_tx where tenant_id = ${tenantId} and op_id = ${id}
    on conflict (tenant_id, hash) do nothing
    returning hash`)
  return inserted !== undefined
}

/** The same wish as it was last asked for: itself, or the last time it was tried again. */
export function findLastTry(
  tx: Transaction,
  tenantId: string,
  dedupeKey: string,
): Promise<{ id: string; state: ChainOp['state']; tries: number } | undefined> {
  const first = firstKeyOf(dedupeKey)
  return tx.row(sql`
    select id, state, (count(*) over ())::int as tries from cell.chain_op
    where tenant_id = ${tenantId} and (dedupe_key = ${first} or starts_with(dedupe_key, ${`${first}:retry:`}))
    order by created_at desc limit 1`)
}

function firstKeyOf(dedupeKey: string): string {
  return dedupeKey.replace(/:retry:\d+$/, '')
}

/** Asks for the same once more, after so many tries. */
export function enqueueRetry(tx: Transaction, op: NewChainOp, tries: number): Promise<string> {
  return enqueueChainOp(tx, { ...op, dedupeKey: `${firstKeyOf(op.dedupeKey)}:retry:${tries}` })
}

export async function dedupeKeyOf(tx: Transaction, tenantId: string, opId: string): Promise<string> {
  const found = await tx.row<{ dedupeKey: string }>(sql`
    select dedupe_key as "dedupeKey" from cell.chain_op where tenant_id = ${tenantId} and id = ${opId}`)
  if (!found) throw new Error('an op is not there')
  return found.dedupeKey
}

/** Holders who wait for this registration wait for that one. Tells how many do. */
export async function repointHolders(tx: Transaction, { tenantId, id }: ChainOp, newOpId: string): Promise<number> {
  const rows = await tx.rows(sql`
    update cell.token_holder set op_id = ${newOpId}
    where tenant_id = ${tenantId} and op_id = ${id} and not is_registered
    returning wallet_id`)
  return rows.length
}
