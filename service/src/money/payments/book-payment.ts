import { newRowId } from '../../platform/base/ids.ts'
import type { Money } from '../../platform/base/money.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { Vault } from '../../platform/postgres/vault.ts'
import { indexTerms } from '../../records/search/search-term.sql.ts'
import { ibanTerm, wholeTerm } from '../../records/search/search-terms.ts'
import { lockOrder } from '../../sales/orders/order-transition.sql.ts'
import { normalizedReference, paymentReferencesIn } from '../../sales/orders/payment-reference.ts'
import { paymentSources } from './payment.schema.ts'
import { findUnmatchedManualPayment, type PaymentRow, setPaymentMatched } from './payment.sql.ts'
import { sealPayerAccount } from './payment-payer.ts'
import { receivePayment } from './receive-payment.ts'
import {
  findBookedPayment,
  insertUnassignedPayment,
  lockPaymentReference,
  selectOrdersByReference,
} from './unassigned-payment.sql.ts'
import { sealPayer } from './unassigned-payment.view.ts'

/** A payment as a bank or a payment provider reports it. */
export interface IncomingPayment {
  /** One of paymentSources. */
  provider: string
  /** The provider's id of the payment. Two reports with the same reference are the same payment. */
  reference: string
  /** The payment reference of the order, if the provider reports it in its own field. */
  paymentReference: string | null
  amount: Money
  receivedAt: Date
  payer: { name: string | null; iban: string | null }
  /** Text that the payer wrote. It may contain a payment reference. */
  text: string | null
}

export type BookedPayment =
  | { kind: 'payment'; orderId: string; isNew: boolean }
  | { kind: 'unassigned'; id: string; isNew: boolean }
  /** Nothing was stored: an operator has recorded the same amount by hand, probably the same money. */
  | { kind: 'duplicate'; orderId: string; note: string; isNew: true }

/**
 * Books a payment to the order whose reference it contains. A payment that matches no order, matches two, or has
 * another currency is stored as an unassigned payment for an operator. So is one that an operator has probably recorded
 * by hand, unless it comes from a bank statement: operators see the entry itself, so the duplicate is only reported
 * back. Idempotent on (provider, reference), also under concurrency and after an operator has assigned or dismissed the
 * payment.
 */
export async function bookPayment(
  tx: Transaction,
  vault: Vault,
  tenantId: string,
  incoming: IncomingPayment,
): Promise<BookedPayment> {
  const { reference: providerReference, amount, receivedAt } = incoming
  const provider = sourceOf(incoming.provider)
  const identity = { tenantId, provider, providerReference }
  // One round trip. The statements run in this order, so the query after the lock sees what a concurrent booking wrote.
  const [, booked, orders] = await tx.batch(
    (tx) => lockPaymentReference(tx, identity),
    (tx) => findBookedPayment(tx, identity),
    (tx) => selectOrdersByReference(tx, tenantId, referencesOf(incoming)),
  )
  if (booked?.orderId) return { kind: 'payment', orderId: booked.orderId, isNew: false }
  if (booked) return { kind: 'unassigned', id: booked.id, isNew: false }

  const received = { provider, providerReference, amount, receivedAt }
  const [match, secondMatch] = orders
  let note: string | null = null
  if (match && !secondMatch && match.currency === amount.currency && amount.isWhole && amount.isPositive) {
    const orderId = match.id
    const [order, manual] = await tx.batch(
      (tx) => lockOrder(tx, { tenantId, orderId }),
      (tx) => findUnmatchedManualPayment(tx, { tenantId, orderId, amount }),
    )
    if (!order) throw new Error('an order was deleted')
    if (!manual) {
      await receivePayment(tx, order, { ...received, payer: await sealPayerAccount(vault, incoming.payer) })
      return { kind: 'payment', orderId, isNew: true }
    }
    // One payment by hand explains one report. A second report of this amount is different money.
    await setPaymentMatched(tx, tenantId, manual.id)
    note = duplicateNote(manual)
    if (provider === 'bank_transfer') return { kind: 'duplicate', orderId, note, isNew: true }
  }
  const id = newRowId()
  const payer = await sealPayer(vault, id, { ...incoming.payer, text: incoming.text })
  const terms = [...wholeTerm(providerReference), ...(await ibanTerm(vault, incoming.payer.iban))]
  await tx.batch(
    (tx) => insertUnassignedPayment(tx, { ...received, tenantId, id, payer, note }),
    (tx) => indexTerms(tx, tenantId, [{ kind: 'unassigned_payment', subjectId: id, terms }]),
  )
  return { kind: 'unassigned', id, isNew: true }
}

function duplicateNote({ id, orderId, amount, currency }: PaymentRow): string {
  return `Payment ${id} over ${amount} ${currency}, recorded by hand for order ${orderId}, is probably the same money.`
}

/** Returns all payment references that the payment may contain. Payments that share none are for different orders. */
export function referencesOf({ paymentReference, text }: Pick<IncomingPayment, 'paymentReference' | 'text'>): string[] {
  const given = paymentReference === null ? [] : [normalizedReference(paymentReference)]
  return [...new Set([...given, ...[paymentReference, text].flatMap((one) => paymentReferencesIn(one ?? ''))])]
}

function sourceOf(provider: string): (typeof paymentSources)[number] {
  const source = paymentSources.find((one) => one === provider)
  if (!source) throw new Error(`${provider} is not one of ${paymentSources.join(', ')}`)
  return source
}
