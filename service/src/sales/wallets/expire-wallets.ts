import { logFailure } from '../../platform/base/log-failure.ts'
import { loop } from '../../platform/jobs/loop.ts'
import { inTenantTransaction, type TenantDatabases } from '../../platform/postgres/cells/tenant-transaction.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import { areWalletsExpired, type ExpiredWallet, expireWallet, selectExpiredWallets } from './expired-wallet.sql.ts'

// The next runs finish a larger backlog.
const batchMax = 500

/** Expires wallets whose owner did not sign the challenge before it expired. */
export const expireWallets = loop({
  name: 'expire-wallets',
  everyMs: 1_000,
  isDue: () => areWalletsExpired,
  run: async (context) => {
    const now = context.clock()
    for (const wallet of await selectExpiredWallets(context.pool, now, batchMax))
      await logFailure(context.log.child({ tenant_id: wallet.tenantId }), 'a wallet could not be expired', () =>
        expire(context, wallet, now),
      )
  },
})

async function expire(databases: TenantDatabases, wallet: ExpiredWallet, now: Date): Promise<void> {
  const { tenantId, walletId } = wallet
  await inTenantTransaction(databases, { tenantId, access: 'write' }, async (tx) => {
    const expired = await expireWallet(tx, wallet, now)
    if (!expired) return
    const data = { wallet_id: walletId, account_id: expired.accountId, status: 'EXPIRED', previous_status: 'PENDING' }
    await recordEvent(tx, tenantId, { type: 'wallet.expired', data })
  })
}
