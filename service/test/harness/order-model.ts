import assert from 'node:assert/strict'
import fc from 'fast-check'
import { acceptLatePayment } from '../../src/money/payments/operator/accept-late-payment.ts'
import { recordPayment } from '../../src/money/payments/operator/record-payment.ts'
import { ApiError } from '../../src/platform/api/errors/errors.ts'
import { systemClock } from '../../src/platform/base/clock.ts'
import { fromMinorUnits } from '../../src/platform/base/money.ts'
import { inTenantTransaction } from '../../src/platform/db/tenant-transaction.ts'
import { updateAccount } from '../../src/sales/accounts/update-account.ts'
import { cancelOrder } from '../../src/sales/orders/cancel-order.ts'
import { checkMintPreconditions } from '../../src/sales/orders/check-mint-preconditions.job.ts'
import { createOrder } from '../../src/sales/orders/create-order.ts'
import { expireOrder } from '../../src/sales/orders/expire-orders.ts'
import { moveOrder } from '../../src/sales/orders/move-order.ts'
import { acceptOrder } from '../../src/sales/orders/operator/accept-order.ts'
import { cancelOrderForOperator as cancelByOperator } from '../../src/sales/orders/operator/cancel-order-for-operator.ts'
import { extendOrder } from '../../src/sales/orders/operator/extend-order.ts'
import { orderErrors } from '../../src/sales/orders/order.errors.ts'
import { lockOrder } from '../../src/sales/orders/order-life.sql.ts'
import type { OrderStatus } from '../../src/sales/orders/order-status.ts'
import { failRefund } from '../../src/sales/refunds/operator/fail-refund.ts'
import { listRefunds } from '../../src/sales/refunds/operator/list-refunds.ts'
import { retryRefund } from '../../src/sales/refunds/operator/retry-refund.ts'
import { sendRefund } from '../../src/sales/refunds/operator/send-refund.ts'
import { settleRefund } from '../../src/sales/refunds/operator/settle-refund.ts'
import type { RefundReason } from '../../src/sales/refunds/refund.sql.ts'
import type { RefundStatus } from '../../src/sales/refunds/refund-status.ts'
import type { DirectOperations } from './operations.ts'

// What the service should do, said once more in a few plain lines, and commands that do it to both.

interface ModelRefund {
  amount: bigint
  reason: RefundReason
  status: RefundStatus
}

export interface ModelOrder {
  id: string
  tokens: bigint
  status: OrderStatus
  /** In cents, as all amounts here. */
  paid: bigint
  received: bigint
  lastPayment: { reference: string; amount: bigint } | undefined
  isAccepted: boolean
  refunds: ModelRefund[]
}

export interface Model {
  supply: bigint
  isApproved: boolean
  needsAcceptance: boolean
  orders: ModelOrder[]
  /** How many commands were carried out. */
  count: number
}

/** The real service: a tenant with one account, which has a wallet, and one offering. */
export interface Real {
  direct: DirectOperations
  accountId: string
  offeringId: string
  /** Looks at the database after each command. */
  check: (model: Readonly<Model>) => Promise<void>
}

const centsPerToken = 1_250n
const unitsPerToken = 100_000_000n
const live: readonly OrderStatus[] = ['ORDERED', 'PAID', 'READYTOMINT', 'MINTING', 'MINTED']
const total = (order: ModelOrder) => order.tokens * centsPerToken
const soldTokens = (model: Model) =>
  model.orders.filter(({ status }) => live.includes(status)).reduce((sum, { tokens }) => sum + tokens, 0n)

function owe(order: ModelOrder, reason: RefundReason, amount: bigint): void {
  if (amount > 0n) order.refunds.push({ amount, reason, status: 'due' })
}

/** Either the code of the refusal that is expected, or nothing and the model is as the service should be now. */
type Expected = string | undefined

/** A command on one of the orders there are, whichever the number hits. */
function onOrder(
  name: string,
  expect: (order: ModelOrder, model: Model) => Expected,
  act: (order: Readonly<ModelOrder>, real: Real) => Promise<unknown>,
): fc.Arbitrary<fc.AsyncCommand<Model, Real>> {
  return fc.nat().map((number) => ({
    check: (model: Readonly<Model>) => model.orders.length > 0,
    run: async (model: Model, real: Real) => {
      const order = model.orders[number % model.orders.length] as ModelOrder
      const before = { ...order }
      await step(
        model,
        real,
        () => expect(order, model),
        () => act(before, real),
      )
    },
    toString: () => `${name}(${number})`,
  }))
}

async function step(model: Model, real: Real, expect: () => Expected, act: () => Promise<unknown>): Promise<void> {
  model.count += 1
  const expected = expect()
  const outcome = await act().then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof ApiError) return error.code
      throw error
    },
  )
  assert.equal(outcome, expected)
  await real.check(model)
}

const inOrder = ({ direct }: Real, order: ModelOrder) => ({ tenantId: direct.tenantId, orderId: order.id })

function pay(name: string, amountOf: (order: ModelOrder) => bigint) {
  return onOrder(
    name,
    (order) => {
      const amount = amountOf(order)
      order.received += amount
      if (order.status === 'NOPAYMENT') owe(order, 'late', amount)
      else if (order.status === 'CANCELLED') owe(order, 'cancelled', amount)
      else {
        const missing = total(order) - order.paid
        const applied = amount < missing ? amount : missing
        order.paid += applied
        owe(order, 'overpaid', amount - applied)
        if (order.status === 'ORDERED' && order.paid === total(order)) order.status = 'PAID'
      }
      order.lastPayment = { reference: `${order.id} ${order.received}`, amount }
      return undefined
    },
    (before, real) =>
      sendPayment(real, before.id, `${before.id} ${before.received + amountOf(before)}`, amountOf(before)),
  )
}

function sendPayment({ direct }: Real, orderId: string, reference: string, cents: bigint): Promise<unknown> {
  const body = {
    amount: fromMinorUnits(cents, 'EUR'),
    currency: 'EUR',
    reference,
    received_at: new Date().toISOString(),
  }
  return direct.run(recordPayment, { params: { orderId }, body })
}

const payAgain = onOrder(
  'payAgain',
  () => undefined,
  async ({ id, lastPayment }, real) => lastPayment && sendPayment(real, id, lastPayment.reference, lastPayment.amount),
)

const order = fc.integer({ min: 1, max: 5 }).map((tokens) => ({
  check: (model: Readonly<Model>) => model.orders.length < 12,
  run: async (model: Model, real: Real) => {
    const wanted = BigInt(tokens)
    const isThere = soldTokens(model) + wanted <= model.supply
    const body = { account_id: real.accountId, units: String(wanted * unitsPerToken) }
    await step(
      model,
      { ...real, check: async () => {} },
      () => (isThere ? undefined : 'offering_sold_out'),
      async () => {
        const { id } = await real.direct.run(createOrder, { params: { offeringId: real.offeringId }, body })
        model.orders.push({
          id,
          tokens: wanted,
          status: 'ORDERED',
          paid: 0n,
          received: 0n,
          lastPayment: undefined,
          isAccepted: false,
          refunds: [],
        })
      },
    )
    await real.check(model)
  },
  toString: () => `order(${tokens})`,
}))

function cancel(name: string, act: (order: Readonly<ModelOrder>, real: Real) => Promise<unknown>) {
  return onOrder(
    name,
    (one) => {
      if (one.status === 'MINTING' || one.status === 'MINTED') return 'order_not_cancellable'
      owe(one, 'cancelled', one.paid)
      one.paid = 0n
      one.status = 'CANCELLED'
      return undefined
    },
    act,
  )
}

const deadline = onOrder(
  'deadline',
  (one) => {
    if (one.status !== 'ORDERED') return undefined
    owe(one, 'not_paid_in_time', one.paid)
    one.paid = 0n
    one.status = 'NOPAYMENT'
    return undefined
  },
  (one, real) => expireOrder(real.direct.databases, inOrder(real, one), farAhead(2)),
)

const tooEarly = onOrder(
  'tooEarly',
  () => undefined,
  (one, real) => expireOrder(real.direct.databases, inOrder(real, one), new Date()),
)

const farAhead = (years: number) => new Date(Date.now() + years * 365 * 86_400_000)
const due = (one: ModelOrder) => one.refunds.filter(({ status }) => status === 'due')
const sumOf = (refunds: ModelRefund[]) => refunds.reduce((sum, { amount }) => sum + amount, 0n)

/** What is owed back and not sent counts again; what is too much of it is owed back for that. */
function takeBack(one: ModelOrder): void {
  const money = sumOf(due(one))
  for (const owed of due(one)) owed.status = 'withdrawn'
  one.paid = money < total(one) ? money : total(one)
  one.status = one.paid === total(one) ? 'PAID' : 'ORDERED'
  owe(one, 'overpaid', money - one.paid)
}

const extend = onOrder(
  'extend',
  (one, model) => {
    if (one.status === 'ORDERED') return undefined
    if (one.status !== 'NOPAYMENT') return 'order_not_in_state'
    if (soldTokens(model) + one.tokens > model.supply) return 'offering_sold_out'
    takeBack(one)
    return undefined
  },
  (one, { direct }) =>
    direct.run(extendOrder, { params: { orderId: one.id }, body: { payment_due_at: farAhead(1).toISOString() } }),
)

const acceptLate = onOrder(
  'acceptLate',
  (one, model) => {
    if (one.status !== 'NOPAYMENT') return 'order_not_in_state'
    if (sumOf(due(one)) < total(one)) return 'order_underpaid'
    if (soldTokens(model) + one.tokens > model.supply) return 'offering_sold_out'
    takeBack(one)
    return undefined
  },
  (one, { direct }) => direct.run(acceptLatePayment, { params: { orderId: one.id } }),
)

const accept = onOrder(
  'accept',
  (one) => {
    if (one.isAccepted) return undefined
    if (one.status !== 'ORDERED' && one.status !== 'PAID') return 'order_not_in_state'
    one.isAccepted = true
    return undefined
  },
  (one, { direct }) => direct.run(acceptOrder, { params: { orderId: one.id } }),
)

function settlement(name: string, from: OrderStatus, to: OrderStatus) {
  return onOrder(
    name,
    (one) => {
      if (one.status !== from) return 'order_not_in_state'
      one.status = to
      return undefined
    },
    (one, real) =>
      inTenantTransaction(real.direct.databases, { tenantId: real.direct.tenantId, access: 'write' }, async (tx) => {
        const locked = await lockOrder(tx, inOrder(real, one))
        if (locked?.status !== from) throw new ApiError(orderErrors.order_not_in_state, 'not there')
        await moveOrder(tx, locked, to)
      }),
  )
}

/** An approval, or its loss, and the look at the gates that follows. */
const gates = fc.boolean().map((isApproved) => ({
  check: () => true,
  run: async (model: Model, real: Real) => {
    const { direct, accountId } = real
    const expect = () => {
      model.isApproved = isApproved
      for (const one of model.orders) {
        const isOpen = isApproved && (one.isAccepted || !model.needsAcceptance)
        if (one.status === 'PAID' && isOpen) one.status = 'READYTOMINT'
        else if (one.status === 'READYTOMINT' && !isOpen) one.status = 'PAID'
      }
      return undefined
    }
    await step(model, real, expect, async () => {
      const body = { kyc: { status: isApproved ? 'APPROVED' : 'REJECTED' } }
      await direct.run(updateAccount, { params: { accountId }, body })
      const payload = { tenant_id: direct.tenantId, account_id: accountId }
      await checkMintPreconditions.run(payload as never, { ...direct.databases, clock: systemClock } as never)
    })
  },
  toString: () => `gates(${isApproved})`,
}))

const refundSteps = {
  sent: { operation: sendRefund, from: 'due', body: { reference: 'RUN-1' } },
  settled: { operation: settleRefund, from: 'sent', body: undefined },
  failed: { operation: failRefund, from: 'sent', body: { failure: 'AC04' } },
  due: { operation: retryRefund, from: 'failed', body: undefined },
} as const

function refund(to: keyof typeof refundSteps): fc.Arbitrary<fc.AsyncCommand<Model, Real>> {
  return fc.nat().map((number) => ({
    check: (model: Readonly<Model>) => model.orders.some(({ refunds }) => refunds.length > 0),
    run: async (model: Model, real: Real) => {
      const having = model.orders.filter(({ refunds }) => refunds.length > 0)
      const one = having[number % having.length] as ModelOrder
      const place = number % one.refunds.length
      const target = one.refunds[place] as ModelRefund
      const { operation, from, body } = refundSteps[to]
      const expect = () => {
        if (target.status === to) return undefined
        if (target.status !== from) return 'refund_not_in_state'
        target.status = to
        return undefined
      }
      await step(model, real, expect, async () => {
        const refundId = await refundIdAt(real, one.id, place)
        await real.direct.run(operation, { params: { refundId }, body })
      })
    },
    toString: () => `refund(${number}, ${to})`,
  }))
}

async function refundIdAt({ direct }: Real, orderId: string, place: number): Promise<string> {
  const query = { order_id: orderId, direction: 'asc', limit: 50 }
  const { results } = await direct.run(listRefunds, { query })
  return results[place].id
}

export const commands: readonly fc.Arbitrary<fc.AsyncCommand<Model, Real>>[] = [
  order,
  order,
  pay('payAll', total),
  pay('payAll', total),
  pay('payHalf', (one) => total(one) / 2n),
  pay('payDouble', (one) => total(one) * 2n),
  pay('payCent', () => 1n),
  payAgain,
  cancel('cancel', (one, { direct, offeringId }) =>
    direct.run(cancelOrder, { params: { offeringId, orderId: one.id } }),
  ),
  cancel('cancelByOperator', (one, { direct }) =>
    direct.run(cancelByOperator, { params: { orderId: one.id }, body: { reason: 'asked for' } }),
  ),
  deadline,
  deadline,
  tooEarly,
  extend,
  acceptLate,
  accept,
  gates,
  settlement('plan', 'READYTOMINT', 'MINTING'),
  settlement('minted', 'MINTING', 'MINTED'),
  settlement('mintFailed', 'MINTING', 'READYTOMINT'),
  refund('sent'),
  refund('settled'),
  refund('failed'),
  refund('due'),
]
