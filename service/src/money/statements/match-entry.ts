import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { Vault } from '../../platform/postgres/vault.ts'
import { applyBankResultToEntitlement } from '../../sales/entitlements/apply-bank-result-to-entitlement.ts'
import { applyBankResult, refundIdOf } from '../../sales/refunds/apply-bank-result.ts'
import { bookPayment, referencesOf } from '../payments/book-payment.ts'
import { selectOrdersByReference } from '../payments/unassigned-payment.sql.ts'
import { findPayoutStop } from '../payouts/payout-stop.sql.ts'
import type { MatchResult, PendingEntry } from './entry.sql.ts'
import { matchReversal, providerReferenceOf } from './match-reversal.ts'
import type { StatementRow } from './statement.sql.ts'
import type { EntryDetails } from './statement-parts.ts'

export interface MatchContext {
  readonly tenantId: string
  readonly tx: Transaction
  readonly vault: Vault
  readonly now: Date
  readonly statement: Pick<StatementRow, 'account'>
}

/**
 * Matches one entry with an order, a refund or an entitlement and applies its effect. A credit is a payment, unless it
 * returns one of our transfers; a debit settles one, takes a payment back or is unrelated.
 */
export async function matchEntry(
  context: MatchContext,
  entry: PendingEntry,
  details: EntryDetails,
): Promise<MatchResult> {
  const refundId = refundIdOf(details.endToEndId)
  const mayBeReturn = entry.isCredit && (details.isReturn || refundId !== undefined)
  if (mayBeReturn) {
    const returned = refundId && (await matchTransfer(context, entry, refundId, failureOf(details)))
    if (returned) return returned
    // It may still be a payment: a payer can choose an end-to-end id that looks like ours.
    if (details.isReturn)
      return { state: 'needs_attention', note: 'A returned transfer matches no refund and no entitlement.' }
  }
  if (entry.isReversal && entry.isCredit) return { state: 'needs_attention', note: 'The bank reversed a debit.' }
  if (entry.isReversal) return matchReversal(context, entry, referencesOf(paymentTexts(details)))
  if (!entry.isCredit) {
    const settled = refundId && (await matchTransfer(context, entry, refundId))
    if (settled) return settled
    if (refundId && (await isAfterRestore(context, entry))) return attentionForLostRefund(context, refundId, details)
    return takesBack(entry, details)
      ? matchReversal(context, entry, referencesOf(paymentTexts(details)))
      : { state: 'other' }
  }
  return entry.amount.isZero ? { state: 'other' } : matchPayment(context, entry, details)
}

/** Returns true if the bank takes a credit back: it marks the debit as a reversal, or gives the reason of a return. */
export function takesBack(
  { isCredit, isReversal }: Pick<PendingEntry, 'isCredit' | 'isReversal'>,
  { isReturn }: EntryDetails,
): boolean {
  return !isCredit && (isReversal || isReturn)
}

/**
 * Returns true if an entry may settle or return one of our transfers, or take a payment back. This is decided before
 * the entry is booked, so an end-to-end id counts as soon as it looks like one of ours.
 */
export function isAboutTransfer(
  { isReversal }: Pick<PendingEntry, 'isReversal'>,
  { isReturn, endToEndId }: Pick<EntryDetails, 'isReturn' | 'endToEndId'>,
): boolean {
  return isReversal || isReturn || refundIdOf(endToEndId) !== undefined
}

/**
 * Returns the references to orders and refunds that an entry may affect. Entries that share none can run concurrently.
 */
export function affectedBy(details: EntryDetails): string[] {
  const refundId = refundIdOf(details.endToEndId)
  return [...(refundId ? [refundId] : []), ...referencesOf(paymentTexts(details))]
}

/** Returns the texts that may contain an order's payment reference. */
function paymentTexts({ creditorReference, text, endToEndId }: EntryDetails) {
  return { paymentReference: creditorReference, text: [text, endToEndId].filter(Boolean).join(' / ') || null }
}

/** Settles the refund or entitlement with this id, or fails it if a failure is given; undefined if there is none. */
async function matchTransfer(
  context: MatchContext,
  entry: PendingEntry,
  id: string,
  failure?: string,
): Promise<MatchResult | undefined> {
  const { tenantId, tx, now } = context
  const to = failure === undefined ? 'settled' : 'failed'
  const bankResult = {
    to,
    amount: entry.amount,
    isAfterRestore: await isAfterRestore(context, entry),
    now,
    ...(failure === undefined ? {} : { failure }),
  } as const
  const ofRefund = await applyBankResult(tx, { tenantId, refundId: id }, bankResult)
  const applied =
    ofRefund === 'no such refund'
      ? await applyBankResultToEntitlement(tx, { tenantId, entitlementId: id }, bankResult)
      : ofRefund
  if (applied === 'no such entitlement') return undefined
  const { problem, ...matched } = applied
  return problem === undefined
    ? { ...matched, state: `refund_${to}` }
    : { ...matched, state: 'needs_attention', note: problem }
}

/** Returns true if the bank may have executed a transfer that was sent after the restored moment. */
async function isAfterRestore({ tenantId, tx }: MatchContext, { bookedOn }: PendingEntry): Promise<boolean> {
  const stop = await findPayoutStop(tx, tenantId)
  return stop !== undefined && bookedOn >= stop.from && bookedOn <= stop.until
}

/** Reports a refund that was created and paid after the restored moment: its order may be refunded again. */
async function attentionForLostRefund(
  { tenantId, tx }: MatchContext,
  refundId: string,
  details: EntryDetails,
): Promise<MatchResult> {
  // A text contains several possible references; only one of them belongs to an order.
  const [order] = await selectOrdersByReference(tx, tenantId, referencesOf(paymentTexts(details)))
  const paid = `The bank paid refund ${refundId}, which the restored database does not have.`
  return order
    ? {
        state: 'needs_attention',
        orderId: order.id,
        note: `${paid} Compare all such debits of order ${order.id} with its refunds, before you pay one of them.`,
      }
    : { state: 'needs_attention', note: `${paid} It names no known order: check it before you refund anyone.` }
}

async function matchPayment(
  { tenantId, tx, vault, statement: { account } }: MatchContext,
  entry: PendingEntry,
  details: EntryDetails,
): Promise<MatchResult> {
  const booked = await bookPayment(tx, vault, tenantId, {
    provider: 'bank_transfer',
    reference: providerReferenceOf(account, entry),
    ...paymentTexts(details),
    amount: entry.amount,
    receivedAt: new Date(`${entry.bookedOn}T00:00:00Z`),
    payer: { name: details.payerName, iban: details.payerIban },
  })
  if (booked.kind === 'duplicate') return { state: 'needs_attention', orderId: booked.orderId, note: booked.note }
  return booked.kind === 'payment'
    ? { state: 'booked', orderId: booked.orderId }
    : { state: 'unassigned', unassignedPaymentId: booked.id }
}

/** Formats the bank's return code and text. */
function failureOf({ returnCode, returnText }: EntryDetails): string {
  return [returnCode, returnText].filter(Boolean).join(' ').slice(0, failureLengthMax) || 'returned by the bank'
}

const failureLengthMax = 500
