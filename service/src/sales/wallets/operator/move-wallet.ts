import type { TenantContext } from '../../../platform/api/declare/operation.ts'
import { recordEvent } from '../../../records/events/event.sql.ts'
import type { EventType } from '../../../records/events/event-types.ts'
import { announceGateChange } from '../../accounts/recheck-mint-preconditions.ts'
import { canMove, walletMoves } from '../wallet-status.ts'
import { lockWallet, type OperatorWalletRow, updateLockedWallet, type WalletKey } from './operator-wallet.sql.ts'
import { noSuchWallet, refusedMove } from './wallet-errors.ts'

const tellings = {
  suspend: 'wallet.suspended',
  resume: 'wallet.resumed',
  retire: 'wallet.retired',
} as const satisfies Record<string, EventType>

/** What an operator decides about a wallet, with a reason. One that is there already stays as it is. */
export async function moveWallet(
  { tx, audit }: Pick<TenantContext, 'tx' | 'audit'>,
  key: WalletKey,
  move: keyof typeof tellings,
  reason: string,
): Promise<OperatorWalletRow> {
  const wallet = await lockWallet(tx, key)
  if (!wallet) throw noSuchWallet()
  const { to } = walletMoves[move]
  if (wallet.status === to) {
    audit('nothing changed')
    return wallet
  }
  if (!canMove(wallet.status, move)) throw refusedMove(wallet, move)
  const moved = { ...wallet, status: to }
  await Promise.all([
    updateLockedWallet(tx, key.tenantId, moved),
    tellMove(tx, key, tellings[move], { from: wallet, to: moved }),
    announceGateChange(tx, key),
  ])
  audit({
    action: tellings[move],
    subject: { type: 'wallet', id: wallet.id },
    before: { status: wallet.status },
    after: { status: to, reason },
  })
  return moved
}

/** To whoever follows the tenant. */
export async function tellMove(
  tx: TenantContext['tx'],
  { tenantId, accountId, walletId }: WalletKey,
  type: EventType,
  { from, to }: { from: OperatorWalletRow; to: OperatorWalletRow },
): Promise<void> {
  const data = { wallet_id: walletId, account_id: accountId, status: to.status, previous_status: from.status }
  await recordEvent(tx, tenantId, { type, data })
}
