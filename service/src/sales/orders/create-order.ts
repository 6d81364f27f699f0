import { operation } from '../../platform/api/declare/operation.ts'
import { ApiError, validationFailed } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { newRowId } from '../../platform/base/ids.ts'
import { priceOfUnits } from '../../platform/base/money.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import { announceGateChange } from '../accounts/recheck-mint-preconditions.ts'
import { offeringErrors } from '../offerings/offering.errors.ts'
import { OfferingPath } from '../offerings/offering.schema.ts'
import type { OfferingKey } from '../offerings/offering.sql.ts'
import { orderErrors } from './order.errors.ts'
import { NewOrder, Order } from './order.schema.ts'
import { findBuyer, findOfferingTerms, insertOrder, type NewOrderRow, type SaleTerms } from './order.sql.ts'
import { viewOrder } from './order.view.ts'
import { newPaymentReference } from './payment-reference.ts'

const dayMs = 86_400_000

export const createOrder = operation(
  {
    id: 'createOrder',
    summary: 'Order units of an offering',
    description:
      'Reserves units of an offering for an account and says what to pay and where. The units are taken from ' +
      '`available_units` at once and come back when the order is cancelled. Must be within `min_units` and ' +
      '`max_units` of the offering. Without a key, sending it again orders again.',
    tag: 'Orders',
    method: 'POST',
    path: '/offerings/:offeringId/orders',
    scopes: ['order.create'],
    idempotency: 'optional',
    params: OfferingPath,
    body: NewOrder,
    success: {
      status: 201,
      body: Order,
      location: (order: { id: string; offering: { id: string } }) =>
        `/offerings/${order.offering.id}/orders/${order.id}`,
    },
    errors: [
      requestErrors.not_found,
      offeringErrors.offering_not_open,
      offeringErrors.offering_sold_out,
      orderErrors.account_not_approved,
    ],
  },
  async ({ params, body }, { tenantId, tx, now }) => {
    const accountId = body.account_id.toLowerCase()
    const [terms, buyer] = await Promise.all([
      findOfferingTerms(tx, { tenantId, ...params }),
      findBuyer(tx, { tenantId, accountId }),
    ])
    if (!terms) throw new ApiError(requestErrors.not_found, 'There is no such offering.')
    if (!buyer) throw validationFailed([{ detail: 'The member account_id names no account.', pointer: '/account_id' }])
    const units = requireUnits(body.units, terms)
    if (!isOnSale(terms, now)) throw notOpen()
    if (terms.approvalRequired && !buyer.isApproved)
      throw new ApiError(orderErrors.account_not_approved, 'This offering is sold to approved accounts only.')
    const totalAmount = priceOfUnits(units, terms)
    if (totalAmount === undefined) throw refusedUnits('costs more than an order may: at most 15 digits.')

    const order = {
      tenantId,
      accountId,
      orderId: newRowId(),
      offeringId: params.offeringId,
      units: body.units,
      pricePerToken: terms.pricePerToken,
      totalAmount,
      currency: terms.currency,
      paymentProvider: body.payment_provider ?? null,
      paymentBankAccount: terms.paymentBankAccount,
      paymentReference: newPaymentReference(),
      paymentDueAt: new Date(now.getTime() + terms.paymentTermDays * dayMs),
    }
    const [inserted] = await Promise.all([
      insertOrder(tx, order),
      tellOfNewOrder(tx, order),
      Number(totalAmount) === 0 && announceGateChange(tx, order),
    ])
    if (!inserted) throw await refusalOf(tx, { tenantId, ...params })
    return viewOrder({
      ...terms,
      ...buyer,
      id: order.orderId,
      units: order.units,
      totalAmount,
      paymentProvider: order.paymentProvider,
      paidAt: null,
      paidAmount: '0',
      orderCurrency: terms.currency,
      orderStatus: 'ORDERED',
      createdAt: inserted.createdAt,
    })
  },
)

/** The payer needs the reference and the deadline, which the order's own shape has no room for. */
function tellOfNewOrder(tx: Transaction, order: NewOrderRow): Promise<void> {
  return recordEvent(tx, order.tenantId, {
    type: 'order.created',
    data: {
      order_id: order.orderId,
      offering_id: order.offeringId,
      account_id: order.accountId,
      status: 'ORDERED',
      previous_status: null,
      units: order.units,
      total_amount: Number(order.totalAmount),
      paid_amount: 0,
      currency: order.currency,
      payment_reference: order.paymentReference,
      payment_due_at: order.paymentDueAt.toISOString(),
    },
  })
}

/** Why an order found no room: what the wait for the offering's lock has changed is seen only now. */
async function refusalOf(tx: Transaction, key: OfferingKey): Promise<ApiError> {
  const terms = await findOfferingTerms(tx, key)
  return terms?.status === 'OPEN'
    ? new ApiError(offeringErrors.offering_sold_out, 'The offering has fewer units left than the order asks for.')
    : notOpen()
}

function notOpen(): ApiError {
  return new ApiError(offeringErrors.offering_not_open, 'The offering is not open for orders.')
}

function requireUnits(text: string, { minUnits, maxUnits }: SaleTerms): bigint {
  const units = BigInt(text)
  if (minUnits !== null && units < BigInt(minUnits))
    throw refusedUnits(`must be at least ${minUnits} in this offering.`)
  if (maxUnits !== null && units > BigInt(maxUnits)) throw refusedUnits(`must be at most ${maxUnits} in this offering.`)
  return units
}

function refusedUnits(what: string): ApiError {
  return validationFailed([{ detail: `The member units ${what}`, pointer: '/units' }])
}

function isOnSale({ status, opensAt, closesAt }: SaleTerms, now: Date): boolean {
  return status === 'OPEN' && (opensAt === null || opensAt <= now) && (closesAt === null || now < closesAt)
}
