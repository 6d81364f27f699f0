import type { Static } from 'typebox'
import type { TenantContext } from '../../../platform/api/declare/operation.ts'
import { recordEvent } from '../../../records/events/event.sql.ts'
import type { EventType } from '../../../records/events/event-types.ts'
import { recheckRegistrations } from '../../accounts/recheck-registrations.ts'
import { recheckOrdersOfAccount } from '../../blockers/recheck-orders.ts'
import { WalletPath } from '../wallet.schema.ts'
import type { WalletKey, WalletRow } from '../wallet.sql.ts'
import { canMove, walletMoves } from '../wallet-status.ts'
import { OperatorWallet, Reason } from './operator-wallet.schema.ts'
import { lockWallet, updateLockedWallet } from './operator-wallet.sql.ts'
import { viewOperatorWallet } from './operator-wallet.view.ts'
import { rejectMove, walletNotFound } from './reject-move.ts'

const events = {
  suspend: 'wallet.suspended',
  resume: 'wallet.resumed',
  retire: 'wallet.retired',
} as const satisfies Record<string, EventType>

/** Header members of the operations by which an operator changes the status of a wallet. */
export const walletMove = {
  tag: 'Wallets',
  method: 'POST',
  duty: 'compliance',
  approval: 'never',
  idempotency: 'optional',
  params: WalletPath,
  body: Reason,
  success: { status: 200, body: OperatorWallet },
} as const

/** Changes the status of a wallet for an operator. Does nothing if the wallet already has the target status. */
export async function moveWallet(
  { tenantId, tx, audit }: Pick<TenantContext, 'tenantId' | 'tx' | 'audit'>,
  { params, body: { reason } }: { params: Static<typeof WalletPath>; body: Static<typeof Reason> },
  move: keyof typeof events,
): Promise<Static<typeof OperatorWallet>> {
  const key = { tenantId, ...params }
  const wallet = await lockWallet(tx, key)
  if (!wallet) throw walletNotFound()
  const { to } = walletMoves[move]
  if (wallet.status === to) {
    audit('nothing changed')
    return viewOperatorWallet(wallet)
  }
  if (!canMove(wallet.status, move)) throw rejectMove(wallet, move)
  const moved = { ...wallet, status: to }
  await storeMove({ tx, audit }, key, { from: wallet, to: moved, type: events[move], reason })
  return viewOperatorWallet(moved)
}

/** Stores a wallet that can receive tokens from now on, or no longer can. */
export async function storeMove(
  { tx, audit }: Pick<TenantContext, 'tx' | 'audit'>,
  key: WalletKey,
  { from, to, type, reason }: { from: WalletRow; to: WalletRow; type: EventType; reason?: string },
): Promise<void> {
  await tx.batch(
    (tx) => updateLockedWallet(tx, key.tenantId, to),
    (tx) => recordWalletEvent(tx, key, type, { from, to }),
    (tx) => recheckOrdersOfAccount(tx, key),
    (tx) => recheckRegistrations(tx, key),
  )
  audit({
    action: type,
    subject: { type: 'wallet', id: to.id },
    before: { status: from.status },
    after: { status: to.status, ...(reason !== undefined && { reason }) },
  })
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
