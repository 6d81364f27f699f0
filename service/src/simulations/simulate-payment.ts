import type { Static } from 'typebox'
import { receivePayment } from '../money/payments/receive-payment.ts'
import { operation } from '../platform/api/declare/operation.ts'
import { ApiError } from '../platform/api/errors/errors.ts'
import { requestErrors } from '../platform/api/errors/request.errors.ts'
import { newRowId } from '../platform/base/ids.ts'
import { fromMinorUnits, toMinorUnits } from '../platform/base/money.ts'
import type { Transaction } from '../platform/db/transaction.ts'
import { coins } from '../sales/orders/mint-preconditions.ts'
import { moveOrder } from '../sales/orders/move-order.ts'
import { OperatorOrderPath } from '../sales/orders/operator/operator-order.schema.ts'
import { readOperatorOrder } from '../sales/orders/operator/operator-order.view.ts'
import { type LivingOrder, lockOrder } from '../sales/orders/order-life.sql.ts'
import { simulationErrors } from './simulation.errors.ts'
import { PaymentSimulation, SimulatedOrder } from './simulation.schema.ts'
import { viewSimulatedOrder } from './simulation.view.ts'
import { simulationScopes, simulationTag } from './simulation-header.ts'

export const simulatePayment = operation(
  {
    id: 'simulatePayment',
    summary: 'Simulate a payment',
    description:
      'Money arrives for an order as it would from a bank: exactly, too little, too much, too late or told twice. ' +
      'Development only.',
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
    if (!found) throw new ApiError(requestErrors.not_found, 'There is no such order.')
    const order = body.kind === 'late' ? await withDeadlinePassed(tx, found, now) : found
    const payment = {
      provider: 'bank_transfer' as const,
      reference: `simulated ${newRowId()}`,
      amount: amountOf(order, body),
      currency: order.currency,
      receivedAt: now,
    }
    const { order: paid } = await receivePayment(tx, order, payment)
    if (body.kind === 'twice') await receivePayment(tx, paid, payment)
    return viewSimulatedOrder(await readOperatorOrder(tx, key))
  },
)

/** The deadline is now, and what a worker would do about it is done at once. */
export async function withDeadlinePassed(tx: Transaction, order: LivingOrder, now: Date): Promise<LivingOrder> {
  if (order.status === 'NOPAYMENT') return order
  if (order.status !== 'ORDERED')
    throw new ApiError(
      simulationErrors.simulation_not_possible,
      `No deadline passes for an order that is ${order.status}.`,
    )
  return moveOrder(tx, order, 'NOPAYMENT', { paymentDueAt: now })
}

function amountOf(order: LivingOrder, { kind, amount }: Static<typeof PaymentSimulation>): string {
  const { currency } = order
  const total = coins(order.totalAmount, currency)
  const missing = order.status === 'ORDERED' ? total - coins(order.paidAmount, currency) : total
  const given = amount === undefined ? undefined : toMinorUnits(amount, currency)
  if (amount !== undefined && given === undefined)
    throw new ApiError(simulationErrors.simulation_not_possible, `There are no coins of ${currency} for ${amount}.`)
  const share = kind === 'short' ? missing / 2n : kind === 'over' ? missing + missing / 2n + 1n : missing
  const coinsPaid = given ?? share
  if (coinsPaid <= 0n)
    throw new ApiError(simulationErrors.simulation_not_possible, 'There is nothing left to pay: give an amount.')
  return fromMinorUnits(coinsPaid, currency)
}
