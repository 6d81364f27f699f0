import type { Transaction } from '../../platform/postgres/transaction.ts'
import { correctRegistrations } from '../allow-list/correct-registrations.ts'
import { insertRegistration, lockRegistration, type RegistrationKey } from '../allow-list/registration.sql.ts'
import { recordTransferEvents } from './record-transfer-event.ts'
import type { TokenTransferRow } from './transfer.sql.ts'
import { setTransfersReady } from './transfer-step.sql.ts'

/** Registers the receiver's wallet with the token. If it is registered already, the transfer is READY at once. */
export async function registerReceiver(
  tx: Transaction,
  tenantId: string,
  { offeringId, receiverAccountId, receiverWalletId }: TokenTransferRow,
  now: Date,
): Promise<void> {
  const receiver = { offeringId, walletId: receiverWalletId }
  await insertRegistration(tx, tenantId, { ...receiver, accountId: receiverAccountId })
  await lockRegistration(tx, tenantId, receiver)
  await correctRegistrations(tx, tenantId, [receiver])
  await markTransfersReady(tx, tenantId, [receiver], now)
}

/**
 * Makes the approved transfers READY whose receivers are registered. The caller has locked these registrations: an
 * approval locks them too, so that each sees the other's effect.
 */
export async function markTransfersReady(
  tx: Transaction,
  tenantId: string,
  receivers: readonly RegistrationKey[],
  now: Date,
): Promise<void> {
  if (receivers.length === 0) return
  await recordTransferEvents(tx, tenantId, 'transfer.ready', await setTransfersReady(tx, tenantId, receivers, now))
}
