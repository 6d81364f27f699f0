import type { Transaction } from '../../platform/postgres/transaction.ts'
import { lockOrder } from '../../sales/orders/order-transition.sql.ts'
import { findReversiblePayment, type PaymentRow, selectBankPayments } from '../payments/payment.sql.ts'
import { reversePayment } from '../payments/reverse-payment.ts'
import { isUnassignedCredit, selectOrdersByReference } from '../payments/unassigned-payment.sql.ts'
import { type EntryRow, type MatchResult, type PendingEntry, selectCreditsByBankReference } from './entry.sql.ts'
import type { StatementRow } from './statement.sql.ts'

interface ReversalContext {
  readonly tenantId: string
  readonly tx: Transaction
  readonly now: Date
  readonly statement: Pick<StatementRow, 'account'>
}

/**
 * Reverses the payment that a debit takes back. It is the payment of a credit of the same amount with the same bank
 * reference, or one of the same amount of the order that the debit names. If there is none, if the credit was split,
 * or if the order does not allow it, nothing changes and an operator decides.
 */
export async function matchReversal(
  context: ReversalContext,
  entry: PendingEntry,
  references: readonly string[],
): Promise<MatchResult> {
  const { tenantId, tx, now } = context
  const payment = await findReversedPayment(context, entry, references)
  if (!payment) return { state: 'needs_attention', note: 'The bank reversed a credit. It matches no payment.' }
  const { orderId } = payment
  if (!isWhole(payment, entry)) return { state: 'needs_attention', note: splitNote(payment) }
  const order = await lockOrder(tx, { tenantId, orderId })
  if (!order) throw new Error('an order was deleted')
  const { problem } = await reversePayment(tx, order, payment, now)
  return problem === undefined
    ? { state: 'payment_reversed', orderId }
    : { state: 'needs_attention', orderId, note: `The bank reversed payment ${payment.id}, but ${problem}.` }
}

/** Returns undefined if no payment matches, or payments of several orders do. Prefers a part of a split credit. */
async function findReversedPayment(
  { tenantId, tx, statement: { account } }: ReversalContext,
  entry: PendingEntry,
  references: readonly string[],
): Promise<PaymentRow | undefined> {
  const { amount, bankReference } = entry
  const [credits, named] = await tx.batch(
    (tx) =>
      bankReference === null ? [] : selectCreditsByBankReference(tx, tenantId, { account, amount, bankReference }),
    (tx) => selectOrdersByReference(tx, tenantId, references),
  )
  const payments = await selectBankPayments(
    tx,
    tenantId,
    credits.map((credit) => providerReferenceOf(account, credit)),
  )
  // A bank may give all transactions of a batch one reference. Then the order that the debit names decides.
  const ofNamed = payments.filter(({ orderId }) => named.some(({ id }) => id === orderId))
  const candidates = ofNamed.length > 0 ? ofNamed : payments
  const part = candidates.find((candidate) => !isWhole(candidate, entry))
  if (part) return part
  if (candidates.length > 0) return isOne(candidates.map(({ orderId }) => orderId)) ? candidates.at(-1) : undefined
  // The credit is or was an unassigned payment: another payment of the same amount is different money.
  const isUnassigned = await isUnassignedCredit(
    tx,
    tenantId,
    credits.map((credit) => providerReferenceOf(account, credit)),
  )
  if (isUnassigned) return undefined
  const orders = [...named.map(({ id }) => id), ...credits.flatMap(({ orderId }) => orderId ?? [])]
  const [orderId] = orders
  return orderId !== undefined && isOne(orders) ? findReversiblePayment(tx, { tenantId, orderId, amount }) : undefined
}

/**
 * Returns true if the payment covers the whole amount that the bank took back. A part of a split credit does not, and
 * reversing it alone would leave the other parts spendable, although the bank has taken their money too.
 */
function isWhole({ amount }: PaymentRow, entry: PendingEntry): boolean {
  return amount.equals(entry.amount)
}

function splitNote({ unassignedPaymentId }: PaymentRow): string {
  return (
    `The bank reversed a credit that was split: GET /unassigned-payments/${unassignedPaymentId} has its parts. ` +
    'Reverse its payments with POST /payments/{paymentId}/reverse, dismiss what is then unassigned, and resolve ' +
    'this entry.'
  )
}

function isOne(orderIds: readonly string[]): boolean {
  return new Set(orderIds).size === 1
}

/**
 * Identifies the payment of a credit. Account and bank reference let an operator find it at the bank; the fingerprint
 * makes it unique.
 */
export function providerReferenceOf(
  account: string,
  { bankReference, bookedOn, fingerprint }: Pick<EntryRow, 'bankReference' | 'bookedOn' | 'fingerprint'>,
): string {
  return `${account} ${bankReference ?? bookedOn} ${fingerprint.slice(0, 20)}`
}
