import { newRowId } from '../../platform/base/ids.ts'
import { toMinorUnits } from '../../platform/base/money.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Vault } from '../../platform/db/vault.ts'
import { lockOrder } from '../../sales/orders/order-life.sql.ts'
import { normalizedReference, paymentReferencesIn } from '../../sales/orders/payment-reference.ts'
import { paymentSources } from './payment.schema.ts'
import { receivePayment } from './receive-payment.ts'
import { findBooked, holdReference, insertUnassigned, listOrdersNamed } from './unassigned-payment.sql.ts'
import { sealPayer } from './unassigned-payment.view.ts'

/** Money that has arrived, as a bank or a payment provider tells of it. */
export interface IncomingMoney {
  /** One of paymentSources. */
  provider: string
  /** How the provider calls it; the same reference again is the same money. */
  reference: string
  /** What the payer was asked to write, where the provider has a place for it. */
  paymentReference: string | null
  amount: string
  currency: string
  receivedAt: Date
  payer: { name: string | null; iban: string | null }
  /** What the payer wrote; a payment reference may stand in it. */
  text: string | null
}

export type BookedMoney =
  | { kind: 'payment'; orderId: string; isNew: boolean }
  | { kind: 'unassigned'; id: string; isNew: boolean }

/**
 * Gives money to the one order that it names; what names none, or two, or comes in another currency waits for an
 * operator. The same money told of again changes nothing, wherever it went the first time or an operator has put it
 * since, and also when two are told of it at once.
 */
export async function bookMoney(
  tx: Transaction,
  vault: Vault,
  tenantId: string,
  incoming: IncomingMoney,
): Promise<BookedMoney> {
  const { reference, amount, currency, receivedAt } = incoming
  const provider = sourceOf(incoming.provider)
  const told = { tenantId, provider, reference }
  // Asked in one moment and answered in this order: the look-up sees what the one who was waited for has written.
  const [, booked, orders] = await Promise.all([
    holdReference(tx, told),
    findBooked(tx, told),
    listOrdersNamed(tx, tenantId, referencesOf(incoming)),
  ])
  if (booked?.orderId) return { kind: 'payment', orderId: booked.orderId, isNew: false }
  if (booked) return { kind: 'unassigned', id: booked.id, isNew: false }

  const received = { provider, reference, amount, currency, receivedAt }
  const [named, another] = orders
  if (named && !another && named.currency === currency && isWholeCoins(amount, currency)) {
    const order = await lockOrder(tx, { tenantId, orderId: named.id })
    if (!order) throw new Error('an order that was found is gone')
    await receivePayment(tx, order, received)
    return { kind: 'payment', orderId: order.id, isNew: true }
  }
  const id = newRowId()
  const payer = await sealPayer(vault, id, { ...incoming.payer, text: incoming.text })
  await insertUnassigned(tx, { ...received, tenantId, id, payer })
  return { kind: 'unassigned', id, isNew: true }
}

/** The payment references that money may name: two that share none cannot pay the same order. */
export function referencesOf({ paymentReference, text }: Pick<IncomingMoney, 'paymentReference' | 'text'>): string[] {
  const given = paymentReference === null ? [] : [normalizedReference(paymentReference)]
  return [...new Set([...given, ...[paymentReference, text].flatMap((one) => paymentReferencesIn(one ?? ''))])]
}

function isWholeCoins(amount: string, currency: string): boolean {
  const coins = toMinorUnits(amount, currency)
  return coins !== undefined && coins > 0n
}

function sourceOf(provider: string): (typeof paymentSources)[number] {
  const source = paymentSources.find((one) => one === provider)
  if (!source) throw new Error(`${provider} is no source of payments`)
  return source
}
