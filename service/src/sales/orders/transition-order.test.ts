import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { DirectOperations } from '../../../test/harness/callers/operations.ts'
import { individual } from '../../../test/harness/data/bodies.ts'
import { Fixtures } from '../../../test/harness/data/fixtures.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { competeFor } from '../../../test/harness/wait.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { inTenantTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import { createAccount } from '../accounts/create-account.ts'
import { createOrder } from './create-order.ts'
import { orderStatuses } from './order.schema.ts'
import { canBecome, type OrderStatus, orderTransitions, supplyEffect, transitionEvent } from './order-status.ts'
import { lockOrder, type OrderWithOffering } from './order-transition.sql.ts'
import { type OrderChange, transitionOrder } from './transition-order.ts'

describe('order transitions', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const tenantId = await installation.createTenant('T')
  const direct = new DirectOperations(installation, tenantId)
  const offeringId = await new Fixtures(installation).offering(tenantId)
  const accountId = (await direct.run(createAccount, { body: individual })).id

  /** The shortest path to each status. */
  const paths: Record<OrderStatus, OrderStatus[]> = {
    ORDERED: [],
    NOPAYMENT: ['NOPAYMENT'],
    PAID: ['PAID'],
    READYTOMINT: ['PAID', 'READYTOMINT'],
    MINTING: ['PAID', 'READYTOMINT', 'MINTING'],
    MINTED: ['PAID', 'READYTOMINT', 'MINTING', 'MINTED'],
    CANCELLED: ['CANCELLED'],
  }

  const changeFor = (to: OrderStatus, order: OrderWithOffering): OrderChange => ({
    ...(to === 'PAID' ? { paidAmount: order.totalAmount, paidAt: new Date() } : {}),
    ...(to === 'CANCELLED' ? { cancelledAt: new Date() } : {}),
  })

  function move(orderId: string, to: OrderStatus): Promise<OrderWithOffering> {
    return inTenantTransaction(direct.databases, { tenantId, access: 'write' }, async (tx) => {
      const order = await lockOrder(tx, { tenantId, orderId })
      if (!order) throw new Error('order not found')
      return transitionOrder(tx, order, to, changeFor(to, order))
    })
  }

  async function orderIn(status: OrderStatus): Promise<string> {
    const body = { account_id: accountId, units: '1000000000' }
    const { id } = await direct.run(createOrder, { params: { offeringId }, body })
    for (const next of paths[status]) await move(id, next)
    return id
  }

  /** Reads everything that a transition can change. */
  async function snapshot(orderId: string) {
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
      test(`${from} -> ${to} ${canBecome(from, to) ? 'records its event' : 'changes nothing'}`, async () => {
        const orderId = await orderIn(from)
        const earlier = await snapshot(orderId)
        if (!canBecome(from, to)) {
          await assert.rejects(move(orderId, to), (error) => {
            assert.ok(error instanceof ApiError)
            assert.equal(error.code, 'order_not_in_state')
            return true
          })
          assert.deepEqual(await snapshot(orderId), earlier)
          return
        }
        await move(orderId, to)
        const later = await snapshot(orderId)
        assert.equal(later.order[0].status, to)
        assert.deepEqual(later.events.slice(earlier.events.length).at(-1), {
          type: transitionEvent(from, to),
          from,
          to,
        })
        const units = 1_000_000_000n
        const [supplyBefore, supplyAfter] = [earlier.offering[0], later.offering[0]]
        const effect = supplyEffect(from, to)
        const reserved = { reserve: units, release: -units, issue: -units, none: 0n }[effect]
        assert.equal(BigInt(supplyAfter.reserved_units) - BigInt(supplyBefore.reserved_units), reserved)
        assert.equal(
          BigInt(supplyAfter.issued_units) - BigInt(supplyBefore.issued_units),
          effect === 'issue' ? units : 0n,
        )
        const isRefunded = to === 'CANCELLED' && (from === 'PAID' || from === 'READYTOMINT')
        assert.deepEqual(
          later.refunds.slice(earlier.refunds.length).map(({ reason, amount, status }) => [reason, amount, status]),
          isRefunded ? [['cancelled', '125.00', 'due']] : [],
        )
      })

  /** Returns which of the competing transitions took effect. */
  const race = (orderId: string, targets: OrderStatus[]) =>
    competeFor(installation, { table: 'cell.token_order', id: orderId }, () =>
      targets.map((to) =>
        move(orderId, to).then(
          () => true,
          () => false,
        ),
      ),
    )

  for (const from of orderStatuses.filter((status) => orderTransitions[status].length > 0))
    test(`two concurrent transitions from ${from}: the second starts where the first ended`, async () => {
      const targets = pluck(orderTransitions[from], 'to')
      for (const one of targets)
        for (const other of targets) {
          const orderId = await orderIn(from)
          const earlier = await snapshot(orderId)
          const outcomes = await race(orderId, [one, other])
          const { events, order } = await snapshot(orderId)
          const path = events.slice(earlier.events.length)
          const won = outcomes.filter(Boolean).length
          assert.ok(won >= 1, `${one} and ${other} were both rejected`)
          assert.equal(path.length, won)
          // Each transition starts where the previous one ended, and the order has the status of the last one.
          let current: string = from
          for (const transition of path) {
            assert.equal(transition.from, current)
            assert.ok(canBecome(transition.from as OrderStatus, transition.to as OrderStatus))
            current = String(transition.to)
          }
          assert.equal(order[0].status, current)
        }
    })

  test('a transition from an outdated status is rejected, even without the row lock', async () => {
    const orderId = await orderIn('ORDERED')
    const stale = await inTenantTransaction(direct.databases, { tenantId, access: 'write' }, (tx) =>
      lockOrder(tx, { tenantId, orderId }),
    )
    await move(orderId, 'CANCELLED')
    const earlier = await snapshot(orderId)
    const late = inTenantTransaction(direct.databases, { tenantId, access: 'write' }, (tx) =>
      transitionOrder(tx, stale as OrderWithOffering, 'PAID'),
    )
    await assert.rejects(late, /no longer ORDERED/)
    assert.deepEqual(await snapshot(orderId), earlier)
  })

  test('units that were sold in the meantime cannot be reserved again', async () => {
    const scarce = await new Fixtures(installation).offering(tenantId, { total_units: '1000000000' })
    const order = { params: { offeringId: scarce }, body: { account_id: accountId, units: '1000000000' } }
    const { id } = await direct.run(createOrder, order)
    await move(id, 'NOPAYMENT')
    await direct.run(createOrder, order)
    await assert.rejects(move(id, 'ORDERED'), /fewer units left/)
    await new Fixtures(installation).close(tenantId, scarce)
    await assert.rejects(move(id, 'PAID'), /not open/)
    assert.equal((await snapshot(id)).order[0].status, 'NOPAYMENT')
  })
})
