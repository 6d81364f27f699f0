import type { Transaction } from '../../platform/postgres/transaction.ts'
import { recordEvents } from '../../records/events/event.sql.ts'
import type { TokenTransferRow } from './transfer.sql.ts'

type TransferEvent = `transfer.${'created' | 'ready' | 'completed' | 'cancelled' | 'rejected'}`

export async function recordTransferEvents(
  tx: Transaction,
  tenantId: string,
  type: TransferEvent,
  rows: readonly TokenTransferRow[],
): Promise<void> {
  const events = rows.map((row) => ({
    type,
    data: {
      transfer_id: row.id,
      offering_id: row.offeringId,
      sender_account_id: row.senderAccountId,
      receiver_account_id: row.receiverAccountId,
      units: row.units,
      reason: row.reason,
      status: row.status,
      transaction_hash: row.transactionHash,
    },
  }))
  await recordEvents(tx, tenantId, events)
}
