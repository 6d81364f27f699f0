import { Type } from 'typebox'
import { CalendarDate, orNull, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'

export const entryStates = [
  'pending',
  'booked',
  'unassigned',
  'refund_settled',
  'refund_failed',
  'payment_reversed',
  'other',
  'needs_attention',
  'resolved',
] as const

export const continuities = ['first', 'ok', 'gap'] as const

export const StatementPath = Type.Object({ statementId: Uuid('The statement.') })
export const StatementEntryPath = Type.Object({ ...StatementPath.properties, entryId: Uuid('The entry.') })

const closed = { additionalProperties: false }
const Count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [example] })
const Balance = (description: string) => orNull(Type.String({ description, examples: ['1000.00'] }))

export const Statement = Type.Object(
  {
    id: Uuid('The statement.'),
    account: Type.String({ description: 'The IBAN of your account.', examples: ['DE89370400440532013000'] }),
    currency: Type.String({ examples: ['EUR'] }),
    bank_id: Type.String({ description: "The bank's id of the statement.", examples: ['2026-07-02-001'] }),
    sequence: orNull(Type.String({ description: "The bank's sequence number.", examples: ['131'] })),
    opening_balance: Balance('The balance before the first entry.'),
    closing_balance: Balance('The balance after the last entry.'),
    continuity: Type.Enum(continuities, {
      description:
        '`first`: no earlier statement of the account is imported. `ok`: it begins with the closing balance of the ' +
        'one before it. `gap`: it does not, so a statement is missing between them; importing that one closes the gap.',
    }),
    expected_opening_balance: orNull(
      Type.String({ description: 'In case of a gap, the closing balance of the statement before it.' }),
      { examples: [null] },
    ),
    gap_resolution: orNull(Type.String({ description: 'How an operator resolved the gap.' }), { examples: [null] }),
    entries: Count('New entries.', 3),
    duplicates: Count('Entries that were already imported; they changed nothing.', 0),
    pending: Count('Entries that a worker still has to process; 0 when the statement is complete.', 0),
    booked: Count('Entries that became payments of orders.', 1),
    unassigned: Count('Entries that match no order: see GET /unassigned-payments.', 1),
    refunds_settled: Count('Refunds that the bank debited.', 1),
    refunds_failed: Count('Refunds that the bank returned.', 0),
    payments_reversed: Count('Payments that the bank took back.', 0),
    other: Count('Entries unrelated to orders and refunds: fees, interest, other transfers.', 0),
    needs_attention: Count('Entries that an operator has to review.', 0),
    resolved: Count('Entries that an operator has reviewed and resolved.', 0),
    created_at: Timestamp('When the statement was imported.'),
  },
  { ...closed, title: 'Statement' },
)

export const StatementImport = Type.Object(
  {
    is_new: Type.Boolean({ description: 'False if this file was imported before: nothing changed.' }),
    entries_read: Count('Entries in the file.', 3),
    entries_new: Count('Entries that were not imported before.', 3),
    duplicates: Count('Entries that were imported before, or occur in the file more than once.', 0),
    statements: Type.Array(Statement, {
      maxItems: 1_000,
      description: 'One for each account and day in the file. A worker now processes them: read them for the progress.',
    }),
  },
  { ...closed, title: 'StatementImport' },
)

export const StatementEntry = Type.Object(
  {
    id: Uuid('The entry.'),
    position: Type.Integer({ minimum: 1, description: 'Its position in the statement.', examples: [1] }),
    direction: Type.Enum(['credit', 'debit'] as const, { description: 'Credits increase the balance.' }),
    is_reversal: Type.Boolean({ description: 'Whether the bank reverses an earlier entry.' }),
    amount: Type.String({ description: 'An exact decimal, in the currency of the statement.', examples: ['125.00'] }),
    booked_on: CalendarDate('The booking date.'),
    bank_reference: orNull(Type.String({ description: "The bank's reference.", examples: ['2026070200123'] })),
    end_to_end_id: orNull(Type.String({ description: "The sender's reference.", examples: ['RENT-07'] })),
    payment_reference: orNull(
      Type.String({ description: 'The structured creditor reference.', examples: ['RF45ABCDEFGHJKLMNP'] }),
    ),
    text: orNull(Type.String({ description: 'The remittance text.', examples: ['For my tokens'] })),
    payer_name: orNull(Type.String({ examples: ['Ada Lovelace'] })),
    payer_iban: orNull(Type.String({ examples: ['DE02120300000000202051'] })),
    state: Type.Enum(entryStates),
    order_id: orNull(Uuid('The order that it paid, or whose payment it reversed.', 'The order.')),
    refund_id: orNull(Uuid('The refund that it settled or failed.', 'The refund.')),
    unassigned_payment_id: orNull(Uuid('The unassigned payment that it became.')),
    note: orNull(Type.String({ description: 'Why an operator has to review it.' }), { examples: [null] }),
    resolution: orNull(Type.String({ description: 'How the operator resolved it.' }), { examples: [null] }),
  },
  { ...closed, title: 'StatementEntry' },
)

export const EntryResolution = Type.Object(
  { resolution: Text(1, 500, { examples: ['The bank booked it twice by mistake and reversed one of them.'] }) },
  { ...closed, title: 'StatementEntryResolution' },
)

export const GapResolution = Type.Object(
  { resolution: Text(1, 500, { examples: ['The bank closed the old account and moved its balance here.'] }) },
  { ...closed, title: 'StatementGapResolution' },
)

export const StatementFilter = {
  needs_attention: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'Only statements with, or without, entries that need attention or a gap that is not resolved.',
    }),
  ),
}
