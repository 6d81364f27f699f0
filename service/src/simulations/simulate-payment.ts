import type { Static } from 'typebox'
import { receivePayment } from '../money/payments/receive-payment.ts'
import { operation } from '../platform/api/declare/operation.ts'
import { ApiError } from '../platform/api/errors/errors.ts'
import { requestErrors } from '../platform/api/errors/request.errors.ts'
import { newRowId } from '../platform/base/ids.ts'
import { Money } from '../platform/base/money.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import { OperatorOrderPath } from '../sales/orders/operator/operator-order.schema.ts'
import { readOperatorOrder } from '../sales/orders/operator/operator-order.view.ts'
import { lockOrder, type OrderWithOffering } from '../sales/orders/order-transition.sql.ts'
import { transitionOrder } from '../sales/orders/transition-order.ts'
import { simulationErrors } from './simulation.errors.ts'
import { PaymentSimulation, SimulatedOrder } from './simulation.schema.ts'
import { viewSimulatedOrder } from './simulation.view.ts'
import { simulationHeader } from './simulation-header.ts'

export const simulatePayment = operation(
  {
    id: 'simulatePayment',
    summary: 'Simulate a payment',
    description:
      'An order receives a payment as from a bank: the exact amount, too little, too much, too late or reported ' +
      'twice. Development only.',
    ...simulationHeader,
    path: '/simulations/orders/:orderId/payments',
    idempotency: 'optional',
    params: OperatorOrderPath,
    body: PaymentSimulation,
    success: { status: 201, body: SimulatedOrder },
    errors: [requestErrors.not_found, simulationErrors.simulation_not_possible],
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
      receivedAt: now,
    }
    const { order: paid } = await receivePayment(tx, order, payment)
    if (body.kind === 'twice') await receivePayment(tx, paid, payment)
    return viewSimulatedOrder(await readOperatorOrder(tx, key))
  },
)

/** Expires the payment deadline, and does the worker's work immediately. */
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

function amountOf(order: OrderWithOffering, { kind, amount }: Static<typeof PaymentSimulation>): Money {
  const { currency, totalAmount } = order
  const missing = order.status === 'ORDERED' ? totalAmount.minus(order.paidAmount) : totalAmount
  const given = amount === undefined ? undefined : Money.parse(amount, currency)
  if (given && !given.isWhole)
    throw new ApiError(
      simulationErrors.simulation_not_possible,
      `amount ${amount} has more decimal places than ${currency}.`,
    )
  const half = missing.minor / 2n
  const share = kind === 'short' ? half : kind === 'over' ? missing.minor + half + 1n : missing.minor
  const paid = given?.normalized() ?? Money.ofMinor(share, currency)
  if (!paid.isPositive)
    throw new ApiError(simulationErrors.simulation_not_possible, 'The order is fully paid. Set an amount.')
  return paid
}
