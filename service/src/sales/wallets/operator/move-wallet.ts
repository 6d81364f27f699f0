import type { TenantContext } from '../../../platform/api/declare/operation.ts'
import { recordEvent } from '../../../records/events/event.sql.ts'
import type { EventType } from '../../../records/events/event-types.ts'
import { recheckRegistrations } from '../../accounts/recheck-registrations.ts'
import { recheckOrdersOfAccount } from '../../blockers/recheck-orders.ts'
import type { WalletKey, WalletRow } from '../wallet.sql.ts'
import { canMove, walletMoves } from '../wallet-status.ts'
import { lockWallet, updateLockedWallet } from './operator-wallet.sql.ts'
import { rejectMove, walletNotFound } from './reject-move.ts'

const events = {
  suspend: 'wallet.suspended',
  resume: 'wallet.resumed',
  retire: 'wallet.retired',
} as const satisfies Record<string, EventType>

/** Changes the status of a wallet for an operator. Does nothing if the wallet already has the target status. */
export async function moveWallet(
  { tx, audit }: Pick<TenantContext, 'tx' | 'audit'>,
  key: WalletKey,
  move: keyof typeof events,
  reason: string,
): Promise<WalletRow> {
  const wallet = await lockWallet(tx, key)
  if (!wallet) throw walletNotFound()
  const { to } = walletMoves[move]
  if (wallet.status === to) {
    audit('nothing changed')
    return wallet
  }
  if (!canMove(wallet.status, move)) throw rejectMove(wallet, move)
  const moved = { ...wallet, status: to }
  await tx.batch(
    (tx) => updateLockedWallet(tx, key.tenantId, moved),
    (tx) => recordWalletEvent(tx, key, events[move], { from: wallet, to: moved }),
    (tx) => recheckOrdersOfAccount(tx, key),
    (tx) => recheckRegistrations(tx, key),
  )
  audit({
    action: events[move],
    subject: { type: 'wallet', id: wallet.id },
    before: { status: wallet.status },
    after: { status: to, reason },
  })
  return moved
}

export async function recordWalletEvent(
  tx: TenantContext['tx'],
  { tenantId, accountId, walletId }: WalletKey,
  type: EventType,
  { from, to }: { from: WalletRow; to: WalletRow },
): Promise<void> {
  const data = { wallet_id: walletId, account_id: accountId, status: to.status, previous_status: from.status }
  await recordEvent(tx, tenantId, { type, data })
}
