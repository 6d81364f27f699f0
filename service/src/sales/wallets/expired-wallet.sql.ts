import type pg from 'pg'
import { acrossTenants, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'

export interface ExpiredWallet {
  tenantId: string
  walletId: string
}

/** True if the challenge of a wallet in the cell has expired, by the clock of the database. */
export const areWalletsExpired = sql`
  exists (select from cell.wallet where status = 'PENDING' and challenge_expires_at <= now())`

/** Returns PENDING wallets of a cell whose challenge has expired, oldest first. Runs with the worker's role. */
export function selectExpiredWallets(pool: pg.Pool, now: Date, limit: number): Promise<ExpiredWallet[]> {
  return acrossTenants(pool).rows(sql`
    select tenant_id as "tenantId", id as "walletId" from cell.wallet
    where status = 'PENDING' and challenge_expires_at <= ${now} order by challenge_expires_at limit ${limit}::bigint`)
}

/**
 * Expires the wallet and returns its account. Checks the status and the expiry again under the row lock, and returns
 * undefined if the owner has proven the wallet or an operator has requested a new challenge in the meantime.
 */
export function expireWallet(tx: Transaction, { tenantId, walletId }: ExpiredWallet, now: Date) {
  return tx.row<{ accountId: string }>(sql`
    update cell.wallet set status = 'EXPIRED', challenge_nonce = null, challenge_expires_at = null
    where tenant_id = ${tenantId} and id = ${walletId} and status = 'PENDING' and challenge_expires_at <= ${now}
    returning account_id as "accountId"`)
}
