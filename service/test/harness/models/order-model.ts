import assert from 'node:assert/strict'
import fc from 'fast-check'
import { ApiError } from '../../../src/platform/api/errors/errors.ts'
import type { OrderStatus } from '../../../src/sales/orders/order-status.ts'
import type { RefundReason } from '../../../src/sales/refunds/refund.sql.ts'
import type { RefundStatus } from '../../../src/sales/refunds/refund-status.ts'
import type { DirectOperations } from '../callers/operations.ts'

// A second, much simpler implementation of orders, payments and refunds. Each command runs against the model and the
// service and compares the two.

export interface ModelRefund {
  amount: bigint
  reason: RefundReason
  status: RefundStatus
  /** The payment that it pays back, if any. */
  payment: string | undefined
  /** True if a transfer was sent. Only a bank could show that it came back, and this model has none. */
  wasSent?: true
}

export interface ModelPayment {
  reference: string
  amount: bigint
  isReversed?: true
  /** The unassigned payment that it was assigned from. */
  source?: ModelUnassigned
}

/** A payment that names no order. */
export interface ModelUnassigned {
  id: string
  reference: string
  amount: bigint
  /** Part that is neither booked to an order nor returned. */
  rest: bigint
  /** True if the payer's account is known, so that it can be returned. */
  hasPayer: boolean
  status: 'open' | 'assigned' | 'split' | 'returned' | 'dismissed'
  /** Number of payments that it has become, including reversed ones. */
  paymentCount: number
}

export interface ModelOrder {
  id: string
  tokens: bigint
  status: OrderStatus
  /** Amount in cents, like all amounts of the model. */
  paid: bigint
  received: bigint
  paymentCount: number
  lastPayment: ModelPayment | undefined
  isAccepted: boolean
  refunds: ModelRefund[]
}

export interface Model {
  supply: bigint
  isApproved: boolean
  needsAcceptance: boolean
  orders: ModelOrder[]
  unassigned: ModelUnassigned[]
  /** Amounts of the refunds that return unassigned payments. */
  returned: bigint[]
  /** All money that arrived and was not taken back by a bank. */
  moneyIn: bigint
  /** Soft cap in tokens; 0 if the offering has none. */
  softCap: bigint
  isSoftCapMet: boolean
  /** True if the offering is closed and all its orders are refunded. */
  isRefunded: boolean
  commandCount: number
}

export function newModel(needsAcceptance: boolean, softCap: bigint): Model {
  return {
    supply: 20n,
    isApproved: false,
    needsAcceptance,
    orders: [],
    unassigned: [],
    returned: [],
    moneyIn: 0n,
    softCap,
    isSoftCapMet: false,
    isRefunded: false,
    commandCount: 0,
  }
}

/** The service: a tenant with one account, which has a wallet, and one offering. */
export interface Real {
  direct: DirectOperations
  accountId: string
  offeringId: string
  /** Unassigned payments of the model: an operation that creates one sets its id. */
  unassigned?: ModelUnassigned[]
  /** Compares the database with the model. Runs after each command. */
  check: (model: Readonly<Model>) => Promise<void>
}

/** The error code that the service must return; undefined if the command must succeed. */
export type Expected = string | undefined

export type CommandArbitrary = fc.Arbitrary<fc.AsyncCommand<Model, Real>>

export const unitsPerToken = 100_000_000n
const centsPerToken = 1_250n
const statusesWithUnits: readonly OrderStatus[] = ['ORDERED', 'PAID', 'READYTOMINT', 'MINTING', 'MINTED']

export function totalOf(order: ModelOrder): bigint {
  return order.tokens * centsPerToken
}

export function hasSupply(model: Model, tokens: bigint): boolean {
  const sold = model.orders
    .filter(({ status }) => statusesWithUnits.includes(status))
    .reduce((sum, order) => sum + order.tokens, 0n)
  return sold + tokens <= model.supply
}

/** Returns the due refunds whose money is certainly here. */
export function dueRefunds(order: ModelOrder): ModelRefund[] {
  return order.refunds.filter(({ status, wasSent }) => status === 'due' && !wasSent)
}

export function dueAmount(order: ModelOrder): bigint {
  return dueRefunds(order).reduce((sum, { amount }) => sum + amount, 0n)
}

const paidStatuses: readonly OrderStatus[] = ['PAID', 'READYTOMINT', 'MINTING', 'MINTED']

/** Counts the tokens of paid orders, which count towards the soft cap. */
function fundedTokens(model: Readonly<Model>): bigint {
  return model.orders
    .filter(({ status }) => paidStatuses.includes(status))
    .reduce((sum, { tokens }) => sum + tokens, 0n)
}

/** Receives money for an order: applies the outstanding amount, and refunds the rest. */
export function receive(order: ModelOrder, payment: ModelPayment): void {
  const { amount, reference } = payment
  order.received += amount
  order.lastPayment = payment
  if (order.status === 'NOPAYMENT' || order.status === 'CANCELLED') {
    addRefund(order, order.status === 'NOPAYMENT' ? 'late' : 'cancelled', amount, reference)
    return
  }
  const missing = totalOf(order) - order.paid
  const applied = amount < missing ? amount : missing
  order.paid += applied
  addRefund(order, 'overpaid', amount - applied, reference)
  if (order.status === 'ORDERED' && order.paid === totalOf(order)) order.status = 'PAID'
}

export function addRefund(order: ModelOrder, reason: RefundReason, amount: bigint, payment?: string): void {
  if (amount > 0n) order.refunds.push({ amount, reason, status: 'due', payment })
}

/** Returns a command on one of the existing orders. The generated number selects it. */
export function onOrder(
  name: string,
  expect: (order: ModelOrder, model: Model) => Expected,
  act: (order: Readonly<ModelOrder>, real: Real) => Promise<unknown>,
): CommandArbitrary {
  return fc.nat().map((number) => ({
    check: (model: Readonly<Model>) => model.orders.length > 0,
    run: async (model: Model, real: Real) => {
      const order = model.orders[number % model.orders.length] as ModelOrder
      const before = { ...order }
      await runCommand(
        model,
        real,
        () => expect(order, model),
        () => act(before, real),
      )
    },
    toString: () => `${name}(${number})`,
  }))
}

/** Updates the model, runs the service, and compares the error codes and then the database. */
export async function runCommand(
  model: Model,
  real: Real,
  expect: () => Expected,
  act: () => Promise<unknown>,
): Promise<void> {
  model.commandCount += 1
  const expected = expect()
  if (model.softCap > 0n && !model.isRefunded && fundedTokens(model) >= model.softCap) model.isSoftCapMet = true
  const code = await act().then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof ApiError) return error.code
      throw error
    },
  )
  assert.equal(code, expected)
  await real.check(model)
}
