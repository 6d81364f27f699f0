import type { Transaction } from '../../platform/db/transaction.ts'
import type { Vault } from '../../platform/db/vault.ts'
import { moveRefundByBank, refundIdOf } from '../../sales/refunds/move-refund-by-bank.ts'
import { bookMoney, referencesOf } from '../payments/book-money.ts'
import type { MovementDetails } from './camt053-fields.ts'
import type { EntryRow, Outcome } from './entry.sql.ts'
import type { StatementRow } from './statement.sql.ts'

interface MatchContext {
  readonly tenantId: string
  readonly tx: Transaction
  readonly vault: Vault
  readonly now: Date
  readonly statement: Pick<StatementRow, 'account' | 'currency'>
}

/**
 * What one entry of a statement means. Money that came is a payment, unless it is a transfer of ours that came back;
 * money that went is a refund of ours, or nothing to us. What was booked is never taken back by itself.
 */
export async function matchEntry(context: MatchContext, entry: EntryRow, details: MovementDetails): Promise<Outcome> {
  const refundId = refundIdOf(details.endToEndId)
  const isReturn = entry.is_credit && (details.isReturn || refundId !== undefined)
  if (isReturn) {
    const returned = refundId && (await moveByBank(context, entry, refundId, failureOf(details)))
    if (returned) return returned
    // A payer may call a transfer by anything, also by what looks like an id of ours.
    if (details.isReturn) return { state: 'attention', note: 'A transfer came back that is no refund of ours.' }
  }
  if (entry.is_reversal)
    return {
      state: 'attention',
      note: entry.is_credit ? 'The bank has taken a debit back.' : 'The bank has taken a credit back.',
    }
  if (!entry.is_credit) {
    const settled = refundId && (await moveByBank(context, entry, refundId))
    return settled || { state: 'other' }
  }
  return isNothing(entry.amount) ? { state: 'other' } : book(context, entry, details)
}

/** What an entry may change, by name: two that have none of these in common can be matched at the same time. */
export function touchedBy(details: MovementDetails): string[] {
  const refundId = refundIdOf(details.endToEndId)
  return [...(refundId ? [refundId] : []), ...referencesOf(namesIn(details))]
}

function namesIn({ creditorReference, text, endToEndId }: MovementDetails) {
  return { paymentReference: creditorReference, text: [text, endToEndId].filter(Boolean).join(' / ') || null }
}

/** Undefined where there is no such refund. With a failure it came back, without one it has left the account. */
async function moveByBank(
  { tenantId, tx, now, statement }: MatchContext,
  { amount }: EntryRow,
  refundId: string,
  failure?: string,
): Promise<Outcome | undefined> {
  const to = failure === undefined ? 'settled' : 'failed'
  const word = { to, amount, currency: statement.currency, now, ...(failure === undefined ? {} : { failure }) } as const
  const moved = await moveRefundByBank(tx, { tenantId, refundId }, word)
  if (moved === 'no such refund') return undefined
  if (moved.problem !== undefined) return { state: 'attention', refundId, note: moved.problem }
  return { state: `refund_${to}`, refundId }
}

async function book(
  { tenantId, tx, vault, statement: { account, currency } }: MatchContext,
  entry: EntryRow,
  details: MovementDetails,
): Promise<Outcome> {
  const booked = await bookMoney(tx, vault, tenantId, {
    provider: 'bank_transfer',
    // Found at the bank by its first parts, and told from all others by its last.
    reference: `${account} ${entry.bank_reference ?? entry.booked_on} ${entry.identity.slice(0, 20)}`,
    ...namesIn(details),
    amount: entry.amount,
    currency,
    receivedAt: new Date(`${entry.booked_on}T00:00:00Z`),
    payer: { name: details.payerName, iban: details.payerIban },
  })
  return booked.kind === 'payment'
    ? { state: 'booked', orderId: booked.orderId }
    : { state: 'unassigned', unassignedId: booked.id }
}

/** The bank's code for why, and its words. */
function failureOf({ returnCode, returnText }: MovementDetails): string {
  return [returnCode, returnText].filter(Boolean).join(' ').slice(0, failureLengthMax) || 'returned by the bank'
}

const failureLengthMax = 500

function isNothing(amount: string): boolean {
  return /^[0.]+$/.test(amount)
}
