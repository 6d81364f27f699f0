import type { Transaction } from '../../platform/postgres/transaction.ts'
import { correctRegistrations } from '../registrations/correct-registrations.ts'
import { insertHolder, lockHolder } from '../registrations/token-holder.sql.ts'
import { markTransfersReady } from './mark-transfers-ready.ts'
import type { TokenTransferRow } from './transfer.sql.ts'

/** Registers the receiver's wallet with the token. If it is registered already, the transfer is READY at once. */
export async function registerReceiver(
  tx: Transaction,
  tenantId: string,
  { offeringId, receiverAccountId, receiverWalletId }: TokenTransferRow,
  now: Date,
): Promise<void> {
  const holder = { offeringId, walletId: receiverWalletId }
  await insertHolder(tx, tenantId, { ...holder, accountId: receiverAccountId })
  await lockHolder(tx, tenantId, holder)
  await correctRegistrations(tx, tenantId, [holder])
  await markTransfersReady(tx, tenantId, [holder], now)
}
