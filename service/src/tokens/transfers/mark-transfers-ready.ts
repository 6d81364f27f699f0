import type { Transaction } from '../../platform/db/transaction.ts'
import type { HolderKey } from '../registrations/token-holder.sql.ts'
import { recordTransferEvents } from './record-transfer-event.ts'
import { setTransfersReady } from './transfer-step.sql.ts'

/**
 * Makes the approved transfers READY whose receivers are registered. The caller has locked the rows of these holders:
 * an approval locks them too, so that either of both sees what the other has done.
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
