import type pg from 'pg'
import { systemClock } from '../base/clock.ts'
import type { Logger } from '../base/log.ts'
import { type Repetition, repeat } from '../base/repeat.ts'
import { inTenantTransaction, type TenantDatabases } from '../db/tenant-transaction.ts'
import { recordEvent } from '../events/event.sql.ts'
import { type DueWallet, expireWallet, listDueWallets } from './due-wallet.sql.ts'

const pauseMs = 1_000
// More than come due in a second anywhere; what is left is found a second later.
const batchMax = 500

interface ExpiryContext extends TenantDatabases {
  readonly log: Logger
}

/** Looks, in one cell, for wallets whose owner has not answered the challenge in time. Any number of workers may. */
export function startWalletExpiry(pool: pg.Pool, context: ExpiryContext): Repetition {
  return repeat(pauseMs, async () => {
    try {
      const now = systemClock()
      for (const wallet of await listDueWallets(pool, now, batchMax)) await expire(wallet, now, context)
    } catch (error) {
      context.log.warn({ err: error }, 'wallets could not be looked through for expired challenges; trying again')
    }
  })
}

/** One tenant that cannot be reached does not keep the others waiting. */
async function expire(wallet: DueWallet, now: Date, context: ExpiryContext): Promise<void> {
  const { tenantId, walletId } = wallet
  try {
    await inTenantTransaction(context, { tenantId, access: 'write' }, async (tx) => {
      const expired = await expireWallet(tx, wallet, now)
      if (!expired) return
      const data = {
        wallet_id: walletId,
        account_id: expired.accountId,
        status: 'EXPIRED',
        previous_status: 'PENDING',
      }
      await recordEvent(tx, tenantId, { type: 'wallet.expired', data })
    })
  } catch (error) {
    context.log.warn({ err: error, tenant_id: tenantId }, 'a wallet could not be expired; trying again')
  }
}
