import { Type } from 'typebox'
import { CalendarDate, orNull, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'

/** Where an entry is on its way, or where it ended. */
export const entryStates = [
  'waiting',
  'booked',
  'unassigned',
  'refund_settled',
  'refund_failed',
  'other',
  'attention',
  'handled',
] as const

export const StatementPath = Type.Object({ statementId: Uuid('The statement.') })
export const StatementEntryPath = Type.Object({ ...StatementPath.properties, entryId: Uuid('The entry.') })

const closed = { additionalProperties: false }
const Count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [example] })
const Balance = (description: string) => orNull(Type.String({ description, examples: ['1000.00'] }))

export const Statement = Type.Object(
  {
    id: Uuid('The statement.'),
    account: Type.String({ description: 'Of yours: its IBAN.', examples: ['DE89370400440532013000'] }),
    currency: Type.String({ examples: ['EUR'] }),
    bank_id: Type.String({ description: 'How the bank calls it.', examples: ['2026-07-02-001'] }),
    sequence: orNull(Type.String({ description: 'Its number at the bank.', examples: ['131'] })),
    opening_balance: Balance('What was there before.'),
    closing_balance: Balance('What is there after.'),
    entries: Count('How many entries it brought that were not known.', 3),
    duplicates: Count('How many it had that were known; they changed nothing.', 0),
    waiting: Count('How many are still to be booked: 0 when all is done.', 0),
    booked: Count('How many became payments of orders.', 1),
    unassigned: Count('How many fit no order: see GET /unassigned-payments.', 1),
    refunds_settled: Count('How many were refunds of ours that left the account.', 1),
    refunds_failed: Count('How many were refunds of ours that came back.', 0),
    other: Count('How many have nothing to do with orders: fees, interest, transfers.', 0),
    attention: Count('How many somebody has to look at.', 0),
    handled: Count('How many somebody has looked at and dealt with.', 0),
    created_at: Timestamp('When it was imported.'),
  },
  { ...closed, title: 'Statement' },
)

export const StatementImport = Type.Object(
  {
    is_new: Type.Boolean({ description: 'False where this very file was imported before: nothing has changed.' }),
    entries_read: Count('How many entries the file has.', 3),
    entries_new: Count('How many of them were not known.', 3),
    duplicates: Count('How many of them were known, or stand in the file twice.', 0),
    statements: Type.Array(Statement, {
      maxItems: 1_000,
      description: 'One for each account and day in the file. They are booked from now on: read them to see how far.',
    }),
  },
  { ...closed, title: 'StatementImport' },
)

export const StatementEntry = Type.Object(
  {
    id: Uuid('The entry.'),
    position: Type.Integer({ minimum: 1, description: 'Its place in the statement.', examples: [1] }),
    direction: Type.Enum(['credit', 'debit'] as const, { description: 'Whether money came or went.' }),
    is_reversal: Type.Boolean({ description: 'Whether the bank takes an earlier entry back.' }),
    amount: Type.String({ description: 'Exact, in the currency of the statement.', examples: ['125.00'] }),
    booked_on: CalendarDate('The day on which the bank booked it.'),
    bank_reference: orNull(Type.String({ description: 'How the bank calls it.', examples: ['2026070200123'] })),
    end_to_end_id: orNull(Type.String({ description: 'How its sender calls it.', examples: ['RENT-07'] })),
    payment_reference: orNull(Type.String({ description: 'Structured.', examples: ['RF45ABCDEFGHJKLMNP'] })),
    text: orNull(Type.String({ description: 'What its sender wrote.', examples: ['For my tokens'] })),
    payer_name: orNull(Type.String({ examples: ['Ada Lovelace'] })),
    payer_iban: orNull(Type.String({ examples: ['DE02120300000000202051'] })),
    state: Type.Enum(entryStates),
    order_id: orNull(Uuid('The order that it paid.', 'The order.')),
    refund_id: orNull(Uuid('The refund that it moved.', 'The refund.')),
    unassigned_payment_id: orNull(Uuid('The money that fits no order.')),
    note: orNull(Type.String({ description: 'Why somebody has to look at it.' }), { examples: [null] }),
    handling: orNull(Type.String({ description: 'What was done about it.' }), { examples: [null] }),
  },
  { ...closed, title: 'StatementEntry' },
)

export const EntryHandling = Type.Object(
  { reason: Text(1, 500, { examples: ['The bank booked it twice by mistake and has taken one back.'] }) },
  { ...closed, title: 'StatementEntryHandling' },
)

/** Which statements to list. */
export const StatementFilter = {
  attention: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'Only those with entries that somebody has to look at, or without.' }),
  ),
}
