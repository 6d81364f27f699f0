import { Type } from 'typebox'
import { CalendarDate, Named, orNull, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { createdRange } from '../../platform/api/declare/list-filters.ts'
import { Masked } from '../../platform/api/declare/masked.ts'
import { OrderLabels } from '../../sales/order-labels/order-labels.schema.ts'

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

const Count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [example] })
const Balance = (description: string) => orNull(Type.String({ description, examples: ['1000.00'] }))

export const Statement = Named('Statement', {
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
  waits_for_booking: Type.Boolean({
    description:
      'A person has imported the statement: its entries stay `pending` until `POST /statements/{statementId}/book`.',
    examples: [false],
  }),
  discarded_at: orNull(Timestamp('When an operator decided not to book it. Its entries were removed.'), {
    examples: [null],
  }),
  discard_reason: orNull(Type.String({ description: 'Why it was discarded.' }), { examples: [null] }),
  entries: Count('New entries.', 3),
  duplicates: Count('Entries that were already imported; they changed nothing.', 0),
  pending: Count('Entries that are not processed yet; 0 when the statement is complete.', 0),
  booked: Count('Entries that became payments of orders.', 1),
  unassigned: Count('Entries that match no order: see GET /unassigned-payments.', 1),
  refunds_settled: Count('Refunds and entitlements that the bank debited.', 1),
  refunds_failed: Count('Refunds and entitlements that the bank returned.', 0),
  payments_reversed: Count('Payments that the bank took back.', 0),
  other: Count('Entries unrelated to orders and refunds: fees, interest, other transfers.', 0),
  needs_attention: Count('Entries that an operator has to review.', 0),
  resolved: Count('Entries that an operator has reviewed and resolved.', 0),
  created_at: Timestamp('When the statement was imported.'),
})

export const StatementImport = Named('StatementImport', {
  is_new: Type.Boolean({ description: 'False if this file was imported before: nothing changed.' }),
  entries_read: Count('Entries in the file.', 3),
  entries_new: Count('Entries that were not imported before.', 3),
  duplicates: Count('Entries that were imported before, or occur in the file more than once.', 0),
  statements: Type.Array(Statement, {
    maxItems: 1_000,
    description:
      'One for each account and day in the file. A worker now processes those that do not wait for booking: read ' +
      'them for the progress.',
  }),
})

export const StatementEntry = Named('StatementEntry', {
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
  payer_iban: orNull(Masked('iban', 'The IBAN of the payer.', 'DE02120300000000202051')),
  state: Type.Enum(entryStates),
  order_id: orNull(Uuid('The order that it paid, or whose payment it reversed.', 'The order.')),
  refund_id: orNull(Uuid('The refund that it settled or failed.', 'The refund.')),
  entitlement_id: orNull(Uuid('The entitlement that it settled or returned.', 'The entitlement.'), {
    examples: [null],
  }),
  unassigned_payment_id: orNull(Uuid('The unassigned payment that it became.')),
  note: orNull(Type.String({ description: 'Why an operator has to review it.' }), { examples: [null] }),
  resolution: orNull(Type.String({ description: 'How the operator resolved it.' }), { examples: [null] }),
})

export const ListedEntry = Named('ListedStatementEntry', {
  ...StatementEntry.properties,
  order: orNull(OrderLabels, { description: 'The order that it paid, or whose payment it reversed.' }),
})

export const EntryResolution = Named('StatementEntryResolution', {
  resolution: Text(1, 500, { examples: ['The bank booked it twice by mistake and reversed one of them.'] }),
})

export const GapResolution = Named('StatementGapResolution', {
  resolution: Text(1, 500, { examples: ['The bank closed the old account and moved its balance here.'] }),
})

export const StatementDiscard = Named('StatementDiscard', {
  reason: Text(1, 500, { examples: ['The file is not from the bank.'] }),
})

/** An entry in a list over all statements. */
export const EntryOfStatement = Named('EntryOfStatement', {
  ...StatementEntry.properties,
  statement_id: Uuid('The statement.'),
  currency: Type.String({ description: 'The currency of the statement.', examples: ['EUR'] }),
})

export const findingKinds = ['missing', 'out_of_order', 'balance_differs'] as const

/** A contradiction between a statement and the one before it. */
export const StatementFinding = Named('StatementFinding', {
  statement_id: Uuid('The statement that does not begin with the closing balance of the one before it.'),
  kind: Type.Enum(findingKinds, {
    description:
      '`missing`: a statement between the two is not imported. `out_of_order`: its number is lower than that of ' +
      'the statement of the day before. `balance_differs`: its number follows, so that one of the two is not ' +
      'complete.',
  }),
  account: Type.String({ description: 'The IBAN of your account.', examples: ['DE89370400440532013000'] }),
  currency: Type.String({ examples: ['EUR'] }),
  closes_on: CalendarDate('The day of the closing balance.'),
  sequence: orNull(Type.String({ description: "The bank's sequence number.", examples: ['133'] })),
  previous_statement_id: orNull(Uuid('The statement before it.')),
  previous_sequence: orNull(Type.String({ description: 'The sequence number of that one.', examples: ['131'] })),
  missing_from: orNull(Type.String({ description: 'The first missing sequence number.', examples: ['132'] })),
  missing_to: orNull(Type.String({ description: 'The last missing sequence number.', examples: ['132'] })),
  opening_balance: Balance('The balance with which it begins.'),
  expected_opening_balance: Balance('The closing balance of the statement before it.'),
  difference: Balance('How much the missing statements moved.'),
  gap_resolution: orNull(Type.String({ description: 'How an operator resolved it.' }), { examples: [null] }),
})

export const StatementFilter = {
  waits_for_booking: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'Only statements that wait, or do not wait, for booking.' }),
  ),
  account: Type.Optional(
    Text(1, 70, { description: 'Only statements of this account.', examples: ['DE89370400440532013000'] }),
  ),
  ...createdRange,
  needs_attention: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'Only statements with, or without, entries that need attention or a gap that is not resolved.',
    }),
  ),
}
