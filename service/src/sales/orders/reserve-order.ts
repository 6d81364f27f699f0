import type { Static } from 'typebox'
import { ApiError, validationFailed } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { newRowId } from '../../platform/base/ids.ts'
import { Money } from '../../platform/base/money.ts'
import { TokenUnits } from '../../platform/base/token-units.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import { indexTerms } from '../../records/search/search-term.sql.ts'
import { insertBlockers } from '../blockers/order-blocker.sql.ts'
import { enqueueRecheck } from '../blockers/recheck-orders.ts'
import { offeringErrors } from '../offerings/offering.errors.ts'
import type { OfferingKey } from '../offerings/offering.sql.ts'
import { orderErrors } from './order.errors.ts'
import type { NewOrder } from './order.schema.ts'
import {
  findBuyer,
  findSaleTerms,
  type InsertOrderRejection,
  insertOrder,
  type NewOrderRow,
  type OrderDetailRow,
  orderTerms,
  type SaleTerms,
} from './order.sql.ts'
import { viewOrderInEvent } from './order.view.ts'
import { orderSums } from './order-sums.ts'
import { newPaymentReference } from './payment-reference.ts'

const dayMs = 86_400_000

/** Errors with which a new order can be rejected. */
export const reserveOrderErrors = [
  requestErrors.not_found,
  offeringErrors.offering_not_open,
  offeringErrors.offering_sold_out,
  orderErrors.account_not_approved,
] as const

/** Reserves units for an account. The same rules apply to integrators and to operators who order for an investor. */
export async function reserveOrder(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  body: Static<typeof NewOrder>,
  now: Date,
): Promise<OrderDetailRow> {
  const accountId = body.account_id.toLowerCase()
  const [terms, buyer] = await tx.batch(
    (tx) => findSaleTerms(tx, { tenantId, offeringId }),
    (tx) => findBuyer(tx, { tenantId, accountId }),
  )
  if (!terms) throw new ApiError(requestErrors.not_found, 'Offering not found.')
  if (!buyer) throw unknownAccount()
  const units = requireUnits(body.units, terms)
  if (!isOnSale(terms, now)) throw notOpen()
  if (terms.approvalRequired && !buyer.isApproved)
    throw new ApiError(orderErrors.account_not_approved, 'This offering is sold to approved accounts only.')
  const totalAmount = TokenUnits.of(units, terms.decimals).priceAt(terms.pricePerToken, terms.currency)
  if (totalAmount === undefined) throw invalidUnits('is too large: the total of an order may have at most 15 digits.')
  // Checks without a lock, so that buyers of a sold-out offering do not compete for it.
  if (units > BigInt(terms.availableUnits)) throw soldOut()

  const order = {
    tenantId,
    accountId,
    id: newRowId(),
    offeringId,
    units: body.units,
    pricePerToken: terms.pricePerToken,
    totalAmount,
    currency: terms.currency,
    paymentProvider: body.payment_provider ?? null,
    paymentBankAccount: terms.paymentBankAccount,
    paymentReference: newPaymentReference(),
    paymentDueAt: new Date(now.getTime() + terms.paymentTermDays * dayMs),
  }
  await tx.batch(
    (tx) => indexTerms(tx, tenantId, [orderTerms(order)]),
    (tx) => recordOrderCreated(tx, order),
    (tx) => totalAmount.isZero && enqueueRecheck(tx, order),
  )
  insertOrder(tx, order, (rejection) => rejections[rejection]())
  await insertBlockers(tx, tenantId, order.id)
  return {
    ...terms,
    ...buyer,
    id: order.id,
    units: order.units,
    totalAmount,
    paymentProvider: order.paymentProvider,
    paidAt: null,
    paidAmount: Money.zero(terms.currency),
    status: 'ORDERED',
    createdAt: terms.beganAt,
  }
}

/** Records the event with payment reference and deadline, which the payer needs and the Order schema does not have. */
function recordOrderCreated(tx: Transaction, order: NewOrderRow): Promise<void> {
  return recordEvent(tx, order.tenantId, {
    type: 'order.created',
    data: {
      ...viewOrderInEvent({ ...order, status: 'ORDERED', paidAmount: Money.zero(order.currency) }),
      previous_status: null,
      payment_reference: order.paymentReference,
      payment_due_at: order.paymentDueAt.toISOString(),
    },
    sums: orderSums(order, null, 'ORDERED'),
  })
}

/** Error for each change since the offering and the account were read. */
const rejections: Readonly<Record<InsertOrderRejection, () => ApiError>> = {
  'offering sold out': soldOut,
  'offering not open': notOpen,
  'account erased': unknownAccount,
}

function unknownAccount(): ApiError {
  return validationFailed([{ detail: 'The member account_id must be the id of an account.', pointer: '/account_id' }])
}

function soldOut(): ApiError {
  return new ApiError(offeringErrors.offering_sold_out, 'The offering has fewer units left than the order needs.')
}

function notOpen(): ApiError {
  return new ApiError(offeringErrors.offering_not_open, 'The offering is not open for orders.')
}

function requireUnits(text: string, { minUnits, maxUnits }: SaleTerms): bigint {
  const units = BigInt(text)
  if (minUnits !== null && units < BigInt(minUnits))
    throw invalidUnits(`must be at least ${minUnits} for this offering.`)
  if (maxUnits !== null && units > BigInt(maxUnits))
    throw invalidUnits(`must be at most ${maxUnits} for this offering.`)
  return units
}

function invalidUnits(problem: string): ApiError {
  return validationFailed([{ detail: `The member units ${problem}`, pointer: '/units' }])
}

function isOnSale({ status, opensAt, closesAt }: SaleTerms, now: Date): boolean {
  return status === 'OPEN' && (opensAt === null || opensAt <= now) && (closesAt === null || now < closesAt)
}
