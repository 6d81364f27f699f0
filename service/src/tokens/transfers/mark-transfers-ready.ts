import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { HolderKey } from '../registrations/token-holder.sql.ts'
import { recordTransferEvents } from './record-transfer-event.ts'
import { setTransfersReady } from './transfer-step.sql.ts'

/**
 * Makes the approved transfers READY whose receivers are registered. The caller has locked the rows of these holders:
 * an approval locks them too, so that each sees the other's effect.
 */
export async function markTransfersReady(
  tx: Transaction,
  tenantId: string,
  holders: readonly HolderKey[],
  now: Date,
): Promise<void> {
  if (holders.length === 0) return
  await recordTransferEvents(tx, tenantId, 'transfer.ready', await setTransfersReady(tx, tenantId, holders, now))
}
