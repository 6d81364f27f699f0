import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { individual } from '../../../test/harness/bodies.ts'
import { Fixtures } from '../../../test/harness/fixtures.ts'
import { DirectOperations } from '../../../test/harness/operations.ts'
import { TestInstallation } from '../../../test/harness/service.ts'
import { until, waitingForLocks } from '../../../test/harness/wait.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { inTenantTransaction } from '../../platform/db/tenant-transaction.ts'
import { createAccount } from '../accounts/create-account.ts'
import { createOrder } from './create-order.ts'
import { moveOrder, type OrderChange } from './move-order.ts'
import { orderStatuses } from './order.schema.ts'
import { type LivingOrder, lockOrder } from './order-life.sql.ts'
import { canBecome, eventOf, type OrderStatus, steps, supplyEffect } from './order-status.ts'

describe('the life of an order', () => {
  let installation: TestInstallation
  let direct: DirectOperations
  let tenantId: string
  let accountId: string
  let offeringId: string

  before(async () => {
    installation = await TestInstallation.create()
    tenantId = await installation.createTenant('T')
    direct = new DirectOperations(installation, tenantId)
    offeringId = await new Fixtures(installation).offering(tenantId)
    accountId = (await direct.run(createAccount, { body: individual })).id
  })
  after(() => installation.end())

  /** The shortest way to each state. */
  const ways: Record<OrderStatus, OrderStatus[]> = {
    ORDERED: [],
    NOPAYMENT: ['NOPAYMENT'],
    PAID: ['PAID'],
    READYTOMINT: ['PAID', 'READYTOMINT'],
    MINTING: ['PAID', 'READYTOMINT', 'MINTING'],
    MINTED: ['PAID', 'READYTOMINT', 'MINTING', 'MINTED'],
    CANCELLED: ['CANCELLED'],
  }

  const changeFor = (to: OrderStatus, order: LivingOrder): OrderChange => ({
    ...(to === 'PAID' ? { paidAmount: order.totalAmount, paidAt: new Date() } : {}),
    ...(to === 'CANCELLED' ? { cancelledAt: new Date() } : {}),
  })

  function move(orderId: string, to: OrderStatus): Promise<LivingOrder> {
    return inTenantTransaction(direct.databases, { tenantId, access: 'write' }, async (tx) => {
      const order = await lockOrder(tx, { tenantId, orderId })
      if (!order) throw new Error('no order')
      return moveOrder(tx, order, to, changeFor(to, order))
    })
  }

  async function orderIn(status: OrderStatus): Promise<string> {
    const body = { account_id: accountId, units: '1000000000' }
    const { id } = await direct.run(createOrder, { params: { offeringId }, body })
    for (const next of ways[status]) await move(id, next)
    return id
  }

  /** Everything that a step can touch. */
  async function traces(orderId: string) {
    return installation.owner(async (client) => {
      const one = async (text: string, value: string) => (await client.query(text, [value])).rows
      return {
        order: await one('select * from cell.token_order where id = $1', orderId),
        offering: await one('select reserved_units, issued_units from cell.offering where id = $1', offeringId),
        refunds: await one('select * from cell.refund where order_id = $1 order by id', orderId),
        events: await one(
          `select type, data ->> 'previous_status' as "from", data ->> 'status' as "to" from cell.event_outbox
           where data ->> 'order_id' = $1 and type like 'order.%' order by insertion`,
          orderId,
        ),
      }
    })
  }

  for (const from of orderStatuses)
    for (const to of orderStatuses)
      test(`${from} -> ${to} ${canBecome(from, to) ? 'happens, with its event' : 'is refused and leaves nothing behind'}`, async () => {
        const orderId = await orderIn(from)
        const was = await traces(orderId)
        if (!canBecome(from, to)) {
          await assert.rejects(move(orderId, to), (error) => {
            assert.ok(error instanceof ApiError)
            assert.equal(error.code, 'order_not_in_state')
            return true
          })
          assert.deepEqual(await traces(orderId), was)
          return
        }
        await move(orderId, to)
        const is = await traces(orderId)
        assert.equal(is.order[0].status, to)
        assert.deepEqual(is.events.slice(was.events.length).at(-1), { type: eventOf(from, to), from, to })
        const units = 1_000_000_000n
        const [supplyWas, supplyIs] = [was.offering[0], is.offering[0]]
        const effect = supplyEffect(from, to)
        const reserved = { reserve: units, release: -units, issue: -units, none: 0n }[effect]
        assert.equal(BigInt(supplyIs.reserved_units) - BigInt(supplyWas.reserved_units), reserved)
        assert.equal(BigInt(supplyIs.issued_units) - BigInt(supplyWas.issued_units), effect === 'issue' ? units : 0n)
        const isOwed = to === 'CANCELLED' && (from === 'PAID' || from === 'READYTOMINT')
        assert.deepEqual(
          is.refunds.slice(was.refunds.length).map(({ reason, amount, status }) => [reason, amount, status]),
          isOwed ? [['cancelled', '125.00', 'due']] : [],
        )
      })

  /** Holds the order's row until both actors wait for it, so that neither can have been first by accident. */
  async function race(orderId: string, actors: OrderStatus[]): Promise<PromiseSettledResult<unknown>[]> {
    return installation.owner(async (client) => {
      await client.query('begin')
      await client.query('select from cell.token_order where id = $1 for update', [orderId])
      const moves = Promise.allSettled(actors.map((to) => move(orderId, to)))
      await until('both wait', async () => (await waitingForLocks(installation)) === actors.length)
      await client.query('commit')
      return moves
    })
  }

  for (const from of orderStatuses.filter((status) => steps[status].length > 0))
    test(`two actors at an order that is ${from}: each step is taken once, from where the other one left it`, async () => {
      const targets = steps[from].map(({ to }) => to)
      for (const one of targets)
        for (const other of targets) {
          const orderId = await orderIn(from)
          const was = await traces(orderId)
          const results = await race(orderId, [one, other])
          const { events, order } = await traces(orderId)
          const path = events.slice(was.events.length)
          const won = results.filter(({ status }) => status === 'fulfilled').length
          assert.ok(won >= 1, `${one} and ${other} were both refused`)
          assert.equal(path.length, won)
          // Each step began where the one was it ended, and the order is where the last one led.
          let at: string = from
          for (const step of path) {
            assert.equal(step.from, at)
            assert.ok(canBecome(step.from as OrderStatus, step.to as OrderStatus))
            at = String(step.to)
          }
          assert.equal(order[0].status, at)
        }
    })

  test('a step from a state that the order has left is refused, even by who does not hold its row', async () => {
    const orderId = await orderIn('ORDERED')
    const stale = await inTenantTransaction(direct.databases, { tenantId, access: 'write' }, (tx) =>
      lockOrder(tx, { tenantId, orderId }),
    )
    await move(orderId, 'CANCELLED')
    const was = await traces(orderId)
    const late = inTenantTransaction(direct.databases, { tenantId, access: 'write' }, (tx) =>
      moveOrder(tx, stale as LivingOrder, 'PAID'),
    )
    await assert.rejects(late, /no longer ORDERED/)
    assert.deepEqual(await traces(orderId), was)
  })

  test('units that were sold meanwhile cannot be reserved again', async () => {
    const scarce = await new Fixtures(installation).offering(tenantId, { total_units: '1000000000' })
    const order = { params: { offeringId: scarce }, body: { account_id: accountId, units: '1000000000' } }
    const { id } = await direct.run(createOrder, order)
    await move(id, 'NOPAYMENT')
    await direct.run(createOrder, order)
    await assert.rejects(move(id, 'ORDERED'), /fewer units left/)
    await new Fixtures(installation).close(tenantId, scarce)
    await assert.rejects(move(id, 'PAID'), /not open/)
    assert.equal((await traces(id)).order[0].status, 'NOPAYMENT')
  })
})
