import { newRowId } from '../../platform/base/ids.ts'
import { toMinorUnits } from '../../platform/base/money.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Vault } from '../../platform/db/vault.ts'
import { lockOrder } from '../../sales/orders/order-transition.sql.ts'
import { normalizedReference, paymentReferencesIn } from '../../sales/orders/payment-reference.ts'
import { paymentSources } from './payment.schema.ts'
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
  amount: string
  currency: string
  receivedAt: Date
  payer: { name: string | null; iban: string | null }
  /** What the payer wrote. It may contain a payment reference. */
  text: string | null
}

export type BookedPayment =
  | { kind: 'payment'; orderId: string; isNew: boolean }
  | { kind: 'unassigned'; id: string; isNew: boolean }

/**
 * Books a payment to the order whose reference it has. A payment that matches no order, matches two, or has another
 * currency is stored as an unassigned payment for an operator. Idempotent on (provider, reference), also under
 * concurrency and after an operator has assigned or dismissed the payment.
 */
export async function bookPayment(
  tx: Transaction,
  vault: Vault,
  tenantId: string,
  incoming: IncomingPayment,
): Promise<BookedPayment> {
  const { reference: providerReference, amount, currency, receivedAt } = incoming
  const provider = sourceOf(incoming.provider)
  const identity = { tenantId, provider, providerReference }
  // One round trip. The statements run in this order, so the query after the lock sees what a concurrent booking wrote.
  const [, booked, orders] = await Promise.all([
    lockPaymentReference(tx, identity),
    findBookedPayment(tx, identity),
    selectOrdersByReference(tx, tenantId, referencesOf(incoming)),
  ])
  if (booked?.orderId) return { kind: 'payment', orderId: booked.orderId, isNew: false }
  if (booked) return { kind: 'unassigned', id: booked.id, isNew: false }

  const received = { provider, providerReference, amount, currency, receivedAt }
  const [match, secondMatch] = orders
  if (match && !secondMatch && match.currency === currency && isValidAmount(amount, currency)) {
    const order = await lockOrder(tx, { tenantId, orderId: match.id })
    if (!order) throw new Error('an order was deleted')
    await receivePayment(tx, order, received)
    return { kind: 'payment', orderId: order.id, isNew: true }
  }
  const id = newRowId()
  const payer = await sealPayer(vault, id, { ...incoming.payer, text: incoming.text })
  await insertUnassignedPayment(tx, { ...received, tenantId, id, payer })
  return { kind: 'unassigned', id, isNew: true }
}

/** All payment references that the payment may contain. Payments without a common one are for different orders. */
export function referencesOf({ paymentReference, text }: Pick<IncomingPayment, 'paymentReference' | 'text'>): string[] {
  const given = paymentReference === null ? [] : [normalizedReference(paymentReference)]
  return [...new Set([...given, ...[paymentReference, text].flatMap((one) => paymentReferencesIn(one ?? ''))])]
}

function isValidAmount(amount: string, currency: string): boolean {
  const minorUnits = toMinorUnits(amount, currency)
  return minorUnits !== undefined && minorUnits > 0n
}

function sourceOf(provider: string): (typeof paymentSources)[number] {
  const source = paymentSources.find((one) => one === provider)
  if (!source) throw new Error(`${provider} is not one of ${paymentSources.join(', ')}`)
  return source
}
