import type { Static } from 'typebox'
import type { Vault } from '../../platform/db/vault.ts'
import type { MovementDetails } from './camt053-fields.ts'
import type { EntryRow } from './entry.sql.ts'
import type { Statement, StatementEntry } from './statement.schema.ts'
import type { StatementRow } from './statement.sql.ts'

export function viewStatement(row: StatementRow): Static<typeof Statement> {
  const { booked, unassigned, refunds_settled: settled, refunds_failed: failed, other, attention, handled } = row
  const waiting = row.entries - booked - unassigned - settled - failed - other - attention - handled
  return { ...row, waiting, created_at: row.created_at.toISOString() }
}

export async function viewEntry(row: EntryRow, vault: Vault): Promise<Static<typeof StatementEntry>> {
  const details = await openDetails(vault, row)
  return {
    id: row.id,
    position: row.position,
    direction: row.is_credit ? 'credit' : 'debit',
    is_reversal: row.is_reversal,
    amount: row.amount,
    booked_on: row.booked_on,
    bank_reference: row.bank_reference,
    end_to_end_id: details.endToEndId,
    payment_reference: details.creditorReference,
    text: details.text,
    payer_name: details.payerName,
    payer_iban: details.payerIban,
    state: row.state,
    order_id: row.order_id,
    refund_id: row.refund_id,
    unassigned_payment_id: row.unassigned_payment_id,
    note: row.note,
    handling: row.handling,
  }
}

/** What the sealed details are bound to: they open in this row and nowhere else. */
function sealedDetails(entryId: string): string {
  return `bank entry ${entryId} details`
}

export function sealDetails(vault: Vault, entryId: string, details: MovementDetails): Promise<Buffer> {
  return vault.seal(JSON.stringify(details), sealedDetails(entryId))
}

export async function openDetails(vault: Vault, { id, details }: EntryRow): Promise<MovementDetails> {
  return JSON.parse(await vault.open(details, sealedDetails(id))) as MovementDetails
}
