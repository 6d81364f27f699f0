import fc from 'fast-check'
import { bookPayment } from '../../../src/money/payments/book-payment.ts'
import { assignPayment } from '../../../src/money/payments/operator/assign-payment.ts'
import { dismissUnassignedPayment } from '../../../src/money/payments/operator/dismiss-unassigned-payment.ts'
import { returnUnassignedPayment } from '../../../src/money/payments/operator/return-unassigned-payment.ts'
import { splitUnassignedPayment } from '../../../src/money/payments/operator/split-unassigned-payment.ts'
import { Money } from '../../../src/platform/base/money.ts'
import {
  type CommandArbitrary,
  type Expected,
  type Model,
  type ModelOrder,
  type ModelUnassigned,
  type Real,
  receive,
  runCommand,
} from './order-model.ts'

const payer = { name: 'Ada Lovelace', iban: 'DE02120300000000202051' }
const euros = (cents: bigint) => String(Money.ofMinor(cents, 'EUR'))

/** Lets a bank report money that names no order. */
const receiveUnassigned: CommandArbitrary = fc.integer({ min: 300, max: 9_000 }).map((cents) => ({
  check: (model: Readonly<Model>) => model.unassigned.length < 8,
  run: async (model: Model, real: Real) => {
    const amount = BigInt(cents)
    const reference = `unassigned ${model.commandCount} ${cents}`
    const made: ModelUnassigned = {
      id: '',
      reference,
      amount,
      rest: amount,
      hasPayer: true,
      status: 'open',
      paymentCount: 0,
    }
    const expect = () => {
      model.moneyIn += amount
      model.unassigned.push(made)
      return undefined
    }
    await runCommand(model, real, expect, async () => {
      const booked = await real.direct.write((tx) =>
        bookPayment(tx, real.direct.vaultOf(tx), real.direct.tenantId, {
          provider: 'bank_transfer',
          reference,
          paymentReference: null,
          amount: Money.ofMinor(amount, 'EUR'),
          receivedAt: new Date(),
          payer,
          text: null,
        }),
      )
      if (booked.kind === 'unassigned') made.id = booked.id
    })
  },
  toString: () => `receiveUnassigned(${cents})`,
}))

/** Returns a command on one of the unassigned payments, and on orders that the second number selects. */
function onUnassigned(
  name: string,
  expect: (payment: ModelUnassigned, orders: readonly ModelOrder[], model: Model) => Expected,
  act: (payment: Readonly<ModelUnassigned>, orders: readonly ModelOrder[], real: Real) => Promise<unknown>,
): CommandArbitrary {
  return fc.tuple(fc.nat(), fc.nat()).map(([number, first]) => ({
    check: (model: Readonly<Model>) => model.unassigned.length > 0 && model.orders.length > 1,
    run: async (model: Model, real: Real) => {
      const payment = model.unassigned[number % model.unassigned.length] as ModelUnassigned
      const at = (index: number) => model.orders[index % model.orders.length] as ModelOrder
      const orders = [at(first), at(first + 1)]
      const before = { ...payment }
      await runCommand(
        model,
        real,
        () => expect(payment, orders, model),
        () => act(before, orders, real),
      )
    },
    toString: () => `${name}(${number}, ${first})`,
  }))
}

const notOpen = 'unassigned_payment_not_open'

/** Returns a command that splits over two orders; `sizes` are the parts of the unassigned amount. */
function split(name: string, sizes: (rest: bigint) => readonly [bigint, bigint]): CommandArbitrary {
  const partsOf = (rest: bigint, orders: readonly ModelOrder[]) =>
    orders.map((order, index) => ({ order, amount: sizes(rest)[index] ?? 0n }))
  return onUnassigned(
    name,
    (payment, orders) => {
      if (payment.status !== 'open') return notOpen
      const parts = partsOf(payment.rest, orders)
      if (parts.some(({ amount }) => amount === 0n)) return 'validation_failed'
      const sum = parts.reduce((total, { amount }) => total + amount, 0n)
      if (sum > payment.rest) return 'payment_split_invalid'
      for (const { order, amount } of parts.toSorted((one, other) => (one.order.id < other.order.id ? -1 : 1))) {
        payment.paymentCount += 1
        receive(order, { reference: `${payment.reference} #${payment.paymentCount}`, amount, source: payment })
      }
      payment.rest -= sum
      if (payment.rest === 0n) payment.status = 'split'
      return undefined
    },
    ({ id, rest }, orders, { direct }) => {
      const parts = partsOf(rest, orders).map(({ order, amount }) => ({ order_id: order.id, amount: euros(amount) }))
      return direct.run(splitUnassignedPayment, { params: { paymentId: id }, body: { parts } })
    },
  )
}

const assign = onUnassigned(
  'assign',
  (payment, [order]) => {
    if (!order || payment.status !== 'open') return notOpen
    const isWhole = payment.rest === payment.amount
    const reference =
      payment.paymentCount === 0 ? payment.reference : `${payment.reference} #${payment.paymentCount + 1}`
    payment.paymentCount += 1
    receive(order, { reference, amount: payment.rest, source: payment })
    payment.rest = 0n
    payment.status = isWhole ? 'assigned' : 'split'
    return undefined
  },
  // Assigning it to the same order again changes nothing, so a payment already assigned names another order.
  async ({ id, status }, [order], { direct }) => {
    const orderId = status === 'assigned' ? crypto.randomUUID() : order?.id
    await direct.run(assignPayment, { params: { paymentId: id }, body: { order_id: orderId } })
  },
)

const giveBack = onUnassigned(
  'return',
  (payment, _orders, model) => {
    if (payment.status === 'returned') return undefined
    if (payment.status !== 'open') return notOpen
    if (!payment.hasPayer) return 'payer_account_unknown'
    model.returned.push(payment.rest)
    payment.rest = 0n
    payment.status = 'returned'
    return undefined
  },
  ({ id }, _orders, { direct }) =>
    direct.run(returnUnassignedPayment, { params: { paymentId: id }, body: { reason: 'not an investor' } }),
)

const dismiss = onUnassigned(
  'dismiss',
  (payment) => {
    if (payment.status === 'dismissed') return undefined
    if (payment.status !== 'open') return notOpen
    payment.status = 'dismissed'
    return undefined
  },
  ({ id }, _orders, { direct }) =>
    direct.run(dismissUnassignedPayment, { params: { paymentId: id }, body: { reason: 'interest' } }),
)

export const unassignedCommands: readonly CommandArbitrary[] = [
  receiveUnassigned,
  receiveUnassigned,
  split('splitAll', (rest) => [rest / 2n, rest - rest / 2n]),
  split('splitSome', (rest) => [rest / 3n, rest / 3n]),
  split('splitTooMuch', (rest) => [rest, 1n]),
  assign,
  giveBack,
  dismiss,
]
