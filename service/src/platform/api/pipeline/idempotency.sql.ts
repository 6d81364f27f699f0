import { sql } from '../../postgres/sql.ts'
import type { Transaction } from '../../postgres/transaction.ts'

export interface StoredResponse {
  status: number
  body: Buffer
}

/** Returns false if another request uses the key. The lock ends with the transaction, even if the process dies. */
export async function lockKey(tx: Transaction, keyHash: Buffer): Promise<boolean> {
  const lock = await tx.row<{ isLocked: boolean }>(sql`
    select pg_try_advisory_xact_lock(${String(keyHash.readBigInt64BE(0))}::bigint) as "isLocked"`)
  return lock?.isLocked === true
}

/** A separate statement after the lock, so that its snapshot includes the commit of the lock's previous owner. */
export function findStoredResponse(
  tx: Transaction,
  tenantId: string,
  keyHash: Buffer,
): Promise<StoredResponse | undefined> {
  return tx.row<StoredResponse>(sql`
    select status, body
    from cell.idempotency
    where tenant_id = ${tenantId} and key_hash = ${keyHash} and expires_at > now()
      and day >= (now() at time zone 'utc')::date - 1`)
}

/**
 * Stores a response for 24 hours by the database's clock, and replaces an expired one of the same day. Finding one that
 * has not expired means that the key was used without its lock: setting its expiry to null then fails the transaction.
 */
export function insertStoredResponse(
  tx: Transaction,
  { tenantId, keyHash, status, body }: { tenantId: string; keyHash: Buffer } & StoredResponse,
): void {
  tx.later(sql`
    insert into cell.idempotency as stored (tenant_id, key_hash, day, status, body, expires_at)
    values (${tenantId}, ${keyHash}, (now() at time zone 'utc')::date, ${status}, ${body},
            now() + interval '24 hours')
    on conflict (tenant_id, key_hash, day) do update
      set status = excluded.status, body = excluded.body,
          expires_at = case when stored.expires_at <= now() then excluded.expires_at end`)
}
