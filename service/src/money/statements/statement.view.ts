import type { Static } from 'typebox'
import type { Vault } from '../../platform/postgres/vault.ts'
import { viewMaybeOrderLabels } from '../../sales/order-labels/order-labels.view.ts'
import type { EntryRow, ListedEntryRow } from './entry.sql.ts'
import type { ListedEntry, Statement, StatementEntry } from './statement.schema.ts'
import type { StatementRow } from './statement.sql.ts'
import type { EntryDetails } from './statement-parts.ts'

export function viewStatement(row: StatementRow): Static<typeof Statement> {
  const processed =
    row.bookedCount +
    row.unassignedCount +
    row.refundSettledCount +
    row.refundFailedCount +
    row.paymentReversedCount +
    row.otherCount +
    row.needsAttentionCount +
    row.resolvedCount
  return {
    id: row.id,
    account: row.account,
    currency: row.currency,
    bank_id: row.bankId,
    sequence: row.sequence,
    opening_balance: row.openingBalance,
    closing_balance: row.closingBalance,
    continuity: row.continuity ?? 'first',
    expected_opening_balance: row.expectedOpeningBalance,
    gap_resolution: row.gapResolution,
    waits_for_booking: row.waitsForBooking,
    discarded_at: row.discardedAt?.toISOString() ?? null,
    discard_reason: row.discardReason,
    entries: row.entryCount,
    duplicates: row.duplicateCount,
    pending: row.entryCount - processed,
    booked: row.bookedCount,
    unassigned: row.unassignedCount,
    refunds_settled: row.refundSettledCount,
    refunds_failed: row.refundFailedCount,
    payments_reversed: row.paymentReversedCount,
    other: row.otherCount,
    needs_attention: row.needsAttentionCount,
    resolved: row.resolvedCount,
    created_at: row.createdAt.toISOString(),
  }
}

export async function viewEntry(row: EntryRow, vault: Vault): Promise<Static<typeof StatementEntry>> {
  const details = await openDetails(vault, row)
  return {
    id: row.id,
    position: row.position,
    direction: row.isCredit ? 'credit' : 'debit',
    is_reversal: row.isReversal,
    amount: row.amount,
    booked_on: row.bookedOn,
    bank_reference: row.bankReference,
    end_to_end_id: details.endToEndId,
    payment_reference: details.creditorReference,
    text: details.text,
    payer_name: details.payerName,
    payer_iban: details.payerIban,
    state: row.state,
    order_id: row.orderId,
    refund_id: row.refundId,
    entitlement_id: row.entitlementId,
    unassigned_payment_id: row.unassignedPaymentId,
    note: row.note,
    resolution: row.resolution,
  }
}

export async function viewListedEntry(row: ListedEntryRow, vault: Vault): Promise<Static<typeof ListedEntry>> {
  return { ...(await viewEntry(row, vault)), order: viewMaybeOrderLabels(row) }
}

/** The vault context of an entry's details, so that one entry's box cannot be opened as another's. */
export function entryDetailsContext(entryId: string): string {
  return `bank entry ${entryId} details`
}

export function sealDetails(vault: Vault, entryId: string, details: EntryDetails): Promise<Buffer> {
  return vault.seal(JSON.stringify(details), entryDetailsContext(entryId))
}

export async function openDetails(
  vault: Vault,
  { id, details }: Pick<EntryRow, 'id' | 'details'>,
): Promise<EntryDetails> {
  return JSON.parse(await vault.open(details, entryDetailsContext(id))) as EntryDetails
}
