import type { Static } from 'typebox'
import type { UnrequestedTransfer } from './unrequested-transfer.schema.ts'
import type { UnrequestedTransferRow } from './unrequested-transfer.sql.ts'

export function viewUnrequestedTransfer(row: UnrequestedTransferRow): Static<typeof UnrequestedTransfer> {
  return {
    id: row.id,
    offering_id: row.offeringId,
    offering_name: row.offeringName,
    decimals: row.decimals,
    sender_name: row.senderName,
    receiver_name: row.receiverName,
    from_address: row.fromAddress,
    to_address: row.toAddress,
    sender_account_id: row.senderAccountId,
    receiver_account_id: row.receiverAccountId,
    units: row.units,
    transaction_hash: row.transactionHash,
    moved_at: row.movedAt.toISOString(),
    breaches: row.breaches,
    verdict: row.verdict,
    note: row.note,
    judged_at: row.judgedAt?.toISOString() ?? null,
  }
}
