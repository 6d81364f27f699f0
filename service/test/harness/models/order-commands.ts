import fc from 'fast-check'
import { acceptLatePayment } from '../../../src/money/payments/operator/accept-late-payment.ts'
import { receivePayment } from '../../../src/money/payments/receive-payment.ts'
import { ApiError } from '../../../src/platform/api/errors/errors.ts'
import { systemClock } from '../../../src/platform/base/clock.ts'
import { Money } from '../../../src/platform/base/money.ts'
import { updateAccount } from '../../../src/sales/accounts/update-account.ts'
import { closeOffering } from '../../../src/sales/offerings/operator/close-offering.ts'
import { cancelOrder } from '../../../src/sales/orders/cancel-order.ts'
import { createOrder } from '../../../src/sales/orders/create-order.ts'
import { expireOrder } from '../../../src/sales/orders/expire-orders.ts'
import { acceptOrder } from '../../../src/sales/orders/operator/accept-order.ts'
import { cancelOrderForOperator } from '../../../src/sales/orders/operator/cancel-order-for-operator.ts'
import { extendPaymentDeadline } from '../../../src/sales/orders/operator/extend-payment-deadline.ts'
import { refundAllOrders } from '../../../src/sales/orders/operator/refund-all-orders.ts'
import { orderErrors } from '../../../src/sales/orders/order.errors.ts'
import type { OrderStatus } from '../../../src/sales/orders/order-status.ts'
import { lockOrder } from '../../../src/sales/orders/order-transition.sql.ts'
import { recheckAccount } from '../../../src/sales/orders/recheck-orders.job.ts'
import { refundOffering } from '../../../src/sales/orders/refund-offering.job.ts'
import { transitionOrder } from '../../../src/sales/orders/transition-order.ts'
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
  receive,
  runCommand,
  totalOf,
  unitsPerToken,
} from './order-model.ts'
import { refundCommands } from './refund-commands.ts'
import { reverseBooked, reverseLast } from './reversal-command.ts'
import { unassignedCommands } from './unassigned-commands.ts'

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
      // The comparison with the database follows below, once the model has the id of the new order.
      { ...real, check: async () => {} },
      () => (model.isRefunded ? 'offering_not_open' : isAvailable ? undefined : 'offering_sold_out'),
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
    (order, model) => {
      const amount = amountOf(order)
      order.paymentCount += 1
      model.moneyIn += amount
      receive(order, { reference: `${order.id} ${order.paymentCount}`, amount })
      return undefined
    },
    (before, real) => sendPayment(real, before.id, `${before.id} ${before.paymentCount + 1}`, amountOf(before)),
  )
}

/** Books a payment as a bank reports it, of any amount. */
function sendPayment(real: Real, id: string, providerReference: string, cents: bigint): Promise<unknown> {
  const amount = Money.ofMinor(cents, 'EUR')
  const payment = { provider: 'bank_transfer', providerReference, amount, receivedAt: new Date() } as const
  return real.direct.write(async (tx) => {
    const order = await lockOrder(tx, { tenantId: real.direct.tenantId, orderId: id })
    if (order) await receivePayment(tx, order, payment)
  })
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

/**
 * Withdraws the refunds that were not sent: they count as payments again, and any excess over the total is overpaid.
 */
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

/** Returns a command that makes a transition of minting. */
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
        await transitionOrder(tx, locked, to)
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
        const isFunded = model.softCap === 0n || model.isSoftCapMet
        const isMintable = isApproved && isFunded && (order.isAccepted || !model.needsAcceptance)
        if (order.status === 'PAID' && isMintable) order.status = 'READYTOMINT'
        else if (order.status === 'READYTOMINT' && !isMintable) order.status = 'PAID'
      }
      return undefined
    }
    await runCommand(model, real, expect, async () => {
      const body = { kyc: { status: isApproved ? 'APPROVED' : 'REJECTED' } }
      await direct.run(updateAccount, { params: { accountId }, body })
      const payload = { tenant_id: direct.tenantId, account_id: accountId }
      await recheckAccount.run(payload, { ...direct.databases, clock: systemClock })
    })
  },
  toString: () => `setApproval(${isApproved})`,
}))

/** Closes an offering that has not reached its soft cap, and refunds all its orders. */
const missSoftCap = fc.constant({
  check: (model: Readonly<Model>) =>
    model.softCap > 0n && !model.isSoftCapMet && !model.isRefunded && model.orders.length >= 6,
  run: async (model: Model, real: Real) => {
    const { direct, offeringId } = real
    const expect = () => {
      model.isRefunded = true
      for (const order of model.orders)
        if (order.status !== 'CANCELLED') {
          addRefund(order, 'cancelled', order.paid)
          order.paid = 0n
          order.status = 'CANCELLED'
        }
      return undefined
    }
    await runCommand(model, real, expect, async () => {
      await direct.run(closeOffering, { params: { offeringId } })
      await direct.run(refundAllOrders, { params: { offeringId }, body: { reason: 'soft cap missed' } })
      const payload = { tenant_id: direct.tenantId, offering_id: offeringId }
      await refundOffering.run(payload, { ...direct.databases, clock: systemClock })
    })
  },
  toString: () => 'missSoftCap',
})

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
  reverseBooked,
  reverseBooked,
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
  ...unassignedCommands,
  missSoftCap,
]
