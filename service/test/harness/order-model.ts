import assert from 'node:assert/strict'
import fc from 'fast-check'
import { ApiError } from '../../src/platform/api/errors/errors.ts'
import type { OrderStatus } from '../../src/sales/orders/order-status.ts'
import type { RefundReason } from '../../src/sales/refunds/refund.sql.ts'
import type { RefundStatus } from '../../src/sales/refunds/refund-status.ts'
import type { DirectOperations } from './operations.ts'

// A second, much simpler implementation of orders, payments and refunds. Each command runs against the model and the
// service and compares the two.

export interface ModelRefund {
  amount: bigint
  reason: RefundReason
  status: RefundStatus
}

export interface ModelOrder {
  id: string
  tokens: bigint
  status: OrderStatus
  /** In cents, like all amounts of the model. */
  paid: bigint
  received: bigint
  paymentCount: number
  lastPayment: { reference: string; amount: bigint; isReversed?: true } | undefined
  isAccepted: boolean
  refunds: ModelRefund[]
}

export interface Model {
  supply: bigint
  isApproved: boolean
  needsAcceptance: boolean
  orders: ModelOrder[]
  commandCount: number
}

/** The service: a tenant with one account, which has a wallet, and one offering. */
export interface Real {
  direct: DirectOperations
  accountId: string
  offeringId: string
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

export function dueRefunds(order: ModelOrder): ModelRefund[] {
  return order.refunds.filter(({ status }) => status === 'due')
}

export function dueAmount(order: ModelOrder): bigint {
  return dueRefunds(order).reduce((sum, { amount }) => sum + amount, 0n)
}

export function addRefund(order: ModelOrder, reason: RefundReason, amount: bigint): void {
  if (amount > 0n) order.refunds.push({ amount, reason, status: 'due' })
}

/** A command on one of the existing orders. The generated number selects it. */
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
