import type { Static } from 'typebox'
import { receivePayment } from '../money/payments/receive-payment.ts'
import { operation } from '../platform/api/declare/operation.ts'
import { ApiError } from '../platform/api/errors/errors.ts'
import { requestErrors } from '../platform/api/errors/request.errors.ts'
import { newRowId } from '../platform/base/ids.ts'
import { fromMinorUnits, minorUnitsOf, toMinorUnits } from '../platform/base/money.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import { OperatorOrderPath } from '../sales/orders/operator/operator-order.schema.ts'
import { readOperatorOrder } from '../sales/orders/operator/operator-order.view.ts'
import { lockOrder, type OrderWithOffering } from '../sales/orders/order-transition.sql.ts'
import { transitionOrder } from '../sales/orders/transition-order.ts'
import { simulationErrors } from './simulation.errors.ts'
import { PaymentSimulation, SimulatedOrder } from './simulation.schema.ts'
import { viewSimulatedOrder } from './simulation.view.ts'
import { simulationScopes, simulationTag } from './simulation-header.ts'

export const simulatePayment = operation(
  {
    id: 'simulatePayment',
    summary: 'Simulate a payment',
    description:
      'An order receives a payment as from a bank: the exact amount, too little, too much, too late or reported ' +
      'twice. Development only.',
    tag: simulationTag,
    method: 'POST',
    path: '/simulations/orders/:orderId/payments',
    scopes: simulationScopes,
    idempotency: 'optional',
    params: OperatorOrderPath,
    body: PaymentSimulation,
    success: { status: 201, body: SimulatedOrder },
    errors: [requestErrors.not_found, simulationErrors.simulation_not_possible],
    isExtension: true,
  },
  async ({ params, body }, { tenantId, tx, now }) => {
    const key = { tenantId, ...params }
    const found = await lockOrder(tx, key)
    if (!found) throw new ApiError(requestErrors.not_found, 'The order does not exist.')
    const order = body.kind === 'late' ? await withDeadlinePassed(tx, found, now) : found
    const payment = {
      provider: 'bank_transfer' as const,
      providerReference: `simulated ${newRowId()}`,
      amount: amountOf(order, body),
      currency: order.currency,
      receivedAt: now,
    }
    const { order: paid } = await receivePayment(tx, order, payment)
    if (body.kind === 'twice') await receivePayment(tx, paid, payment)
    return viewSimulatedOrder(await readOperatorOrder(tx, key))
  },
)

/** Expires the payment deadline, and does immediately the work of the worker. */
export async function withDeadlinePassed(
  tx: Transaction,
  order: OrderWithOffering,
  now: Date,
): Promise<OrderWithOffering> {
  if (order.status === 'NOPAYMENT') return order
  if (order.status !== 'ORDERED')
    throw new ApiError(
      simulationErrors.simulation_not_possible,
      `An order that is ${order.status} has no payment deadline.`,
    )
  return transitionOrder(tx, order, 'NOPAYMENT', { paymentDueAt: now })
}

function amountOf(order: OrderWithOffering, { kind, amount }: Static<typeof PaymentSimulation>): string {
  const { currency } = order
  const total = minorUnitsOf(order.totalAmount, currency)
  const missing = order.status === 'ORDERED' ? total - minorUnitsOf(order.paidAmount, currency) : total
  const given = amount === undefined ? undefined : toMinorUnits(amount, currency)
  if (amount !== undefined && given === undefined)
    throw new ApiError(
      simulationErrors.simulation_not_possible,
      `amount ${amount} has more decimal places than ${currency}.`,
    )
  const share = kind === 'short' ? missing / 2n : kind === 'over' ? missing + missing / 2n + 1n : missing
  const paid = given ?? share
  if (paid <= 0n)
    throw new ApiError(simulationErrors.simulation_not_possible, 'The order is fully paid. Set an amount.')
  return fromMinorUnits(paid, currency)
}
