import type pg from 'pg'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'

export interface DueWallet {
  tenantId: string
  walletId: string
}

/** Of all tenants of a cell, in which the worker sees no more of a wallet than this. Longest due first. */
export async function listDueWallets(pool: pg.Pool, now: Date, limit: number): Promise<DueWallet[]> {
  const { rows } = await pool.query<DueWallet>({
    name: 'list-due-wallets',
    text: `select tenant_id as "tenantId", id as "walletId" from cell.wallet
      where status = 'PENDING' and challenge_expires_at <= $1 order by challenge_expires_at limit $2`,
    values: [now, limit],
  })
  return rows
}

/**
 * The account of the wallet where it was still pending and due; undefined where somebody has proven it, or asked for a
 * new challenge, since it was looked for: the row is looked at again under its lock.
 */
export function expireWallet(
  tx: Transaction,
  { tenantId, walletId }: DueWallet,
  now: Date,
): Promise<{ accountId: string } | undefined> {
  return tx.row(sql`
    update cell.wallet set status = 'EXPIRED', challenge_nonce = null, challenge_expires_at = null
    where tenant_id = ${tenantId} and id = ${walletId} and status = 'PENDING' and challenge_expires_at <= ${now}
    returning account_id as "accountId"`)
}
