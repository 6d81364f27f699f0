import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'

export interface StoredAnswer {
  status: number
  body: Buffer
}

/** Whether nobody else is using the key now. The lock goes with the transaction, also when the process dies. */
export async function lockKey(tx: Transaction, keyHash: Buffer): Promise<boolean> {
  const lock = await tx.row<{ isFree: boolean }>(sql`
    select pg_try_advisory_xact_lock(${String(keyHash.readBigInt64BE(0))}::bigint) as "isFree"`)
  return lock?.isFree === true
}

/** A statement of its own after the lock, so that its snapshot has what the last holder of the lock committed. */
export function findAnswer(tx: Transaction, tenantId: string, keyHash: Buffer): Promise<StoredAnswer | undefined> {
  return tx.row<StoredAnswer>(sql`
    select status, body
    from cell.idempotency
    where tenant_id = ${tenantId} and key_hash = ${keyHash} and expires_at > now()
      and day >= (now() at time zone 'utc')::date - 1`)
}

/** For 24 hours by the database's clock. An answer of the same day that has expired gives way. */
export async function insertAnswer(
  tx: Transaction,
  { tenantId, keyHash, status, body }: { tenantId: string; keyHash: Buffer } & StoredAnswer,
): Promise<void> {
  const inserted = await tx.row(sql`
    insert into cell.idempotency as stored (tenant_id, key_hash, day, status, body, expires_at)
    values (${tenantId}, ${keyHash}, (now() at time zone 'utc')::date, ${status}, ${body},
            now() + interval '24 hours')
    on conflict (tenant_id, key_hash, day) do update
      set status = excluded.status, body = excluded.body, expires_at = excluded.expires_at
      where stored.expires_at <= now()
    returning true as inserted`)
  if (!inserted) throw new Error('the key was taken although its lock was ours')
}
