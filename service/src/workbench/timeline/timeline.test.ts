import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { DirectOperations } from '../../../test/harness/callers/operations.ts'
import { individual } from '../../../test/harness/data/bodies.ts'
import { ChainRows } from '../../../test/harness/data/chain-rows.ts'
import { Fixtures } from '../../../test/harness/data/fixtures.ts'
import { newOrder } from '../../../test/harness/every-operation/waiting-work.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { createAccount } from '../../sales/accounts/create-account.ts'

describe('timelines', async () => {
  interface Entry {
    source: string
    id: string
    type: string
    at: string
    actor_id: string | null
    actor_name: string | null
    links: { type: string; id: string }[]
    detail: Record<string, unknown> | null
    text: string | null
  }
  const timeline = async (
    path: string,
  ): Promise<{ pagination: { count: number; next: string | null }; results: Entry[] }> =>
    api.callWith(clerk.token, 'GET', path)

  const installation = await TestInstallation.create()
  after(() => installation.end())
  const api = await installation.operatorApi()
  const tenantId = await installation.createTenant('Time')
  const clerk = await installation.createOperator(tenantId)
  const orderId = await newOrder({ installation, api, tenantId }, 'ORDERED', { acceptance_required: true })
  const order = await api.callWith(clerk.token, 'GET', `/orders/${orderId}`)
  const [accountId, offeringId] = [order.account.id, order.offering.id]
  await new Fixtures(installation).pay(tenantId, orderId)
  await api.callWith(clerk.token, 'POST', `/orders/${orderId}/accept`)
  const note = (subject_type: string, subject_id: string, text: string) =>
    api.callWith(clerk.token, 'POST', '/notes', { subject_type, subject_id, text })
  await note('order', orderId, 'Called: is happy.')
  await note('account', accountId, 'Prefers e-mail.')
  await note('offering', offeringId, 'Brochure was sent.')
  const opId = await new ChainRows(installation, tenantId).op('FINAL', 'MINT')
  await installation.rows('update cell.token_order set mint_op_id = $1 where id = $2', [opId, orderId])
  await installation.rows('update cell.chain_op set offering_id = $1 where id = $2', [offeringId, opId])
  await api.callWith(clerk.token, 'POST', `/orders/${orderId}/cancel`, { reason: 'changed their mind' })
  await installation.numberEvents()

  const shown = (entries: readonly Entry[]) => entries.map(({ source, type }) => `${source} ${type}`)

  test('of an order: events, payment, refund, chain op, audit records and note, newest first, with names and links', async () => {
    const { pagination, results } = await timeline(`/orders/${orderId}/timeline`)
    assert.deepEqual(shown(results).toSorted(), [
      'audit order.accepted',
      'audit order.cancelled',
      'audit payment.recorded',
      'chain_op MINT',
      'event order.accepted',
      'event order.cancelled',
      'event order.created',
      'event order.paid',
      'note note',
      'payment payment.received',
      'refund refund.due',
    ])
    assert.equal(pagination.count, results.length)
    const times = results.map(({ at }) => at)
    assert.deepEqual(times, times.toSorted().toReversed())

    const { name } = (await api.callWith(clerk.token, 'GET', '/me')).user
    const of = (source: string, type: string) => results.find((one) => one.source === source && one.type === type)
    assert.deepEqual(
      [of('audit', 'order.accepted')?.actor_id, of('audit', 'order.accepted')?.actor_name],
      [clerk.userId, name],
    )
    assert.deepEqual([of('note', 'note')?.text, of('note', 'note')?.actor_name], ['Called: is happy.', name])
    assert.deepEqual(of('chain_op', 'MINT')?.links, [{ type: 'chain_op', id: opId }])
    assert.equal(of('payment', 'payment.received')?.detail?.['amount'], '125.00')
    assert.deepEqual(
      of('event', 'order.paid')?.links.toSorted((a, b) => (a.type < b.type ? -1 : 1)),
      [
        { type: 'account', id: accountId },
        { type: 'offering', id: offeringId },
        { type: 'order', id: orderId },
      ],
    )
  })

  test('of an account: its orders, payments, refunds and note', async () => {
    const { results } = await timeline(`/accounts/${accountId}/timeline`)
    const types = shown(results)
    for (const expected of [
      'event account.created',
      'event order.paid',
      'payment payment.received',
      'refund refund.due',
      'chain_op MINT',
      'note note',
    ])
      assert.ok(types.includes(expected), expected)
    assert.equal(results.find(({ source }) => source === 'note')?.text, 'Prefers e-mail.')
    const { id: other } = await new DirectOperations(installation, tenantId).run(createAccount, { body: individual })
    const { pagination } = await timeline(`/accounts/${other}/timeline`)
    assert.equal(pagination.count, 0, 'nothing of another account')
  })

  test('of an offering: its orders, chain ops, audit records and note', async () => {
    const { results } = await timeline(`/offerings/${offeringId}/timeline`)
    const types = shown(results)
    for (const expected of ['event offering.opened', 'event order.paid', 'audit offering.opened', 'chain_op MINT'])
      assert.ok(types.includes(expected), expected)
    assert.equal(results.find(({ source }) => source === 'note')?.text, 'Brochure was sent.')
  })

  for (const direction of ['desc', 'asc'])
    test(`pages of two show every entry once, in the order ${direction}`, async () => {
      const path = `/orders/${orderId}/timeline`
      const { results: all } = await timeline(`${path}?direction=${direction}&limit=100`)
      const seen: Entry[] = []
      let query: string | null = `?direction=${direction}&limit=2`
      while (query !== null) {
        const { pagination, results } = await timeline(path + query)
        assert.ok(results.length <= 2)
        seen.push(...results)
        query = pagination.next && new URL(pagination.next).search
      }
      assert.deepEqual(seen, all)
    })
})
