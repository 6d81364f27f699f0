import fc from 'fast-check'
import { acceptLatePayment } from '../../src/money/payments/operator/accept-late-payment.ts'
import { recordPayment } from '../../src/money/payments/operator/record-payment.ts'
import { ApiError } from '../../src/platform/api/errors/errors.ts'
import { systemClock } from '../../src/platform/base/clock.ts'
import { fromMinorUnits } from '../../src/platform/base/money.ts'
import { updateAccount } from '../../src/sales/accounts/update-account.ts'
import { cancelOrder } from '../../src/sales/orders/cancel-order.ts'
import { checkMintPreconditions } from '../../src/sales/orders/check-mint-preconditions.job.ts'
import { createOrder } from '../../src/sales/orders/create-order.ts'
import { expireOrder } from '../../src/sales/orders/expire-orders.ts'
import { moveOrder } from '../../src/sales/orders/move-order.ts'
import { acceptOrder } from '../../src/sales/orders/operator/accept-order.ts'
import { cancelOrderForOperator } from '../../src/sales/orders/operator/cancel-order-for-operator.ts'
import { extendPaymentDeadline } from '../../src/sales/orders/operator/extend-payment-deadline.ts'
import { orderErrors } from '../../src/sales/orders/order.errors.ts'
import type { OrderStatus } from '../../src/sales/orders/order-status.ts'
import { lockOrder } from '../../src/sales/orders/order-transition.sql.ts'
import {
  addRefund,
  type CommandArbitrary,
  dueAmount,
  dueRefunds,
  hasSupply,
  type Model,
  type ModelOrder,
  onOrder,
  type Real,
  runCommand,
  totalOf,
  unitsPerToken,
} from './order-model.ts'
import { refundCommands } from './refund-commands.ts'
import { reverseLast } from './reversal-command.ts'

const orderId = ({ direct }: Real, order: ModelOrder) => ({ tenantId: direct.tenantId, orderId: order.id })
const inYears = (years: number) => new Date(Date.now() + years * 365 * 86_400_000)

const create = fc.integer({ min: 1, max: 5 }).map((count) => ({
  check: (model: Readonly<Model>) => model.orders.length < 12,
  run: async (model: Model, real: Real) => {
    const tokens = BigInt(count)
    const isAvailable = hasSupply(model, tokens)
    const body = { account_id: real.accountId, units: String(tokens * unitsPerToken) }
    await runCommand(
      model,
      // The database is compared below, when the model has the id of the new order.
      { ...real, check: async () => {} },
      () => (isAvailable ? undefined : 'offering_sold_out'),
      async () => {
        const { id } = await real.direct.run(createOrder, { params: { offeringId: real.offeringId }, body })
        model.orders.push({
          id,
          tokens,
          status: 'ORDERED',
          paid: 0n,
          received: 0n,
          paymentCount: 0,
          lastPayment: undefined,
          isAccepted: false,
          refunds: [],
        })
      },
    )
    await real.check(model)
  },
  toString: () => `create(${count})`,
}))

function pay(name: string, amountOf: (order: ModelOrder) => bigint) {
  return onOrder(
    name,
    (order) => {
      const amount = amountOf(order)
      order.received += amount
      if (order.status === 'NOPAYMENT') addRefund(order, 'late', amount)
      else if (order.status === 'CANCELLED') addRefund(order, 'cancelled', amount)
      else {
        const missing = totalOf(order) - order.paid
        const applied = amount < missing ? amount : missing
        order.paid += applied
        addRefund(order, 'overpaid', amount - applied)
        if (order.status === 'ORDERED' && order.paid === totalOf(order)) order.status = 'PAID'
      }
      order.paymentCount += 1
      order.lastPayment = { reference: `${order.id} ${order.paymentCount}`, amount }
      return undefined
    },
    (before, real) => sendPayment(real, before.id, `${before.id} ${before.paymentCount + 1}`, amountOf(before)),
  )
}

function sendPayment({ direct }: Real, id: string, reference: string, cents: bigint): Promise<unknown> {
  const body = {
    amount: fromMinorUnits(cents, 'EUR'),
    currency: 'EUR',
    reference,
    received_at: new Date().toISOString(),
  }
  return direct.run(recordPayment, { params: { orderId: id }, body })
}

const payAgain = onOrder(
  'payAgain',
  () => undefined,
  async ({ id, lastPayment }, real) => lastPayment && sendPayment(real, id, lastPayment.reference, lastPayment.amount),
)

function cancel(name: string, act: (order: Readonly<ModelOrder>, real: Real) => Promise<unknown>) {
  return onOrder(
    name,
    (order) => {
      if (order.status === 'MINTING' || order.status === 'MINTED') return 'order_not_cancellable'
      addRefund(order, 'cancelled', order.paid)
      order.paid = 0n
      order.status = 'CANCELLED'
      return undefined
    },
    act,
  )
}

const expireAfterDeadline = onOrder(
  'expireAfterDeadline',
  (order) => {
    if (order.status !== 'ORDERED') return undefined
    addRefund(order, 'not_paid_in_time', order.paid)
    order.paid = 0n
    order.status = 'NOPAYMENT'
    return undefined
  },
  (order, real) => expireOrder(real.direct.databases, orderId(real, order), inYears(2)),
)

const expireBeforeDeadline = onOrder(
  'expireBeforeDeadline',
  () => undefined,
  (order, real) => expireOrder(real.direct.databases, orderId(real, order), new Date()),
)

/** Refunds that are not sent count as payments again. What exceeds the total is refunded as overpaid. */
function withdrawRefunds(order: ModelOrder): void {
  const available = dueAmount(order)
  for (const refund of dueRefunds(order)) refund.status = 'withdrawn'
  order.paid = available < totalOf(order) ? available : totalOf(order)
  order.status = order.paid === totalOf(order) ? 'PAID' : 'ORDERED'
  addRefund(order, 'overpaid', available - order.paid)
}

const extendDeadline = onOrder(
  'extendDeadline',
  (order, model) => {
    if (order.status === 'ORDERED') return undefined
    if (order.status !== 'NOPAYMENT') return 'order_not_in_state'
    if (!hasSupply(model, order.tokens)) return 'offering_sold_out'
    withdrawRefunds(order)
    return undefined
  },
  ({ id }, { direct }) =>
    direct.run(extendPaymentDeadline, { params: { orderId: id }, body: { payment_due_at: inYears(1).toISOString() } }),
)

const acceptLate = onOrder(
  'acceptLate',
  (order, model) => {
    if (order.status !== 'NOPAYMENT') return 'order_not_in_state'
    if (dueAmount(order) < totalOf(order)) return 'order_underpaid'
    if (!hasSupply(model, order.tokens)) return 'offering_sold_out'
    withdrawRefunds(order)
    return undefined
  },
  ({ id }, { direct }) => direct.run(acceptLatePayment, { params: { orderId: id } }),
)

const accept = onOrder(
  'accept',
  (order) => {
    if (order.isAccepted) return undefined
    if (order.status !== 'ORDERED' && order.status !== 'PAID') return 'order_not_in_state'
    order.isAccepted = true
    return undefined
  },
  ({ id }, { direct }) => direct.run(acceptOrder, { params: { orderId: id } }),
)

/** A transition that minting makes. */
function mintTransition(name: string, from: OrderStatus, to: OrderStatus) {
  return onOrder(
    name,
    (order) => {
      if (order.status !== from) return 'order_not_in_state'
      order.status = to
      return undefined
    },
    (order, real) =>
      real.direct.write(async (tx) => {
        const locked = await lockOrder(tx, orderId(real, order))
        if (locked?.status !== from) throw new ApiError(orderErrors.order_not_in_state, `The order is not ${from}.`)
        await moveOrder(tx, locked, to)
      }),
  )
}

/** Approves or rejects the account, and runs the check of the mint preconditions that follows. */
const setApproval = fc.boolean().map((isApproved) => ({
  check: () => true,
  run: async (model: Model, real: Real) => {
    const { direct, accountId } = real
    const expect = () => {
      model.isApproved = isApproved
      for (const order of model.orders) {
        const isMintable = isApproved && (order.isAccepted || !model.needsAcceptance)
        if (order.status === 'PAID' && isMintable) order.status = 'READYTOMINT'
        else if (order.status === 'READYTOMINT' && !isMintable) order.status = 'PAID'
      }
      return undefined
    }
    await runCommand(model, real, expect, async () => {
      const body = { kyc: { status: isApproved ? 'APPROVED' : 'REJECTED' } }
      await direct.run(updateAccount, { params: { accountId }, body })
      const payload = { tenant_id: direct.tenantId, account_id: accountId }
      await checkMintPreconditions.run(payload, { ...direct.databases, clock: systemClock })
    })
  },
  toString: () => `setApproval(${isApproved})`,
}))

/** Commands that are listed twice are generated twice as often. */
export const commands: readonly CommandArbitrary[] = [
  create,
  create,
  pay('payTotal', totalOf),
  pay('payTotal', totalOf),
  pay('payHalf', (order) => totalOf(order) / 2n),
  pay('payDouble', (order) => totalOf(order) * 2n),
  pay('payCent', () => 1n),
  payAgain,
  reverseLast,
  cancel('cancel', ({ id }, { direct, offeringId }) =>
    direct.run(cancelOrder, { params: { offeringId, orderId: id } }),
  ),
  cancel('cancelForOperator', ({ id }, { direct }) =>
    direct.run(cancelOrderForOperator, { params: { orderId: id }, body: { reason: 'requested' } }),
  ),
  expireAfterDeadline,
  expireAfterDeadline,
  expireBeforeDeadline,
  extendDeadline,
  acceptLate,
  accept,
  setApproval,
  mintTransition('plan', 'READYTOMINT', 'MINTING'),
  mintTransition('minted', 'MINTING', 'MINTED'),
  mintTransition('mintFailed', 'MINTING', 'READYTOMINT'),
  ...refundCommands,
]
