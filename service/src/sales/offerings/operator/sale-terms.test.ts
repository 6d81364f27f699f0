import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OperatorClient } from '../../../../test/harness/callers/operator-client.ts'
import { confirmAs } from '../../../../test/harness/callers/second-person.ts'
import { recordedEvents } from '../../../../test/harness/data/recorded.ts'
import { TestTenant } from '../../../../test/harness/data/tenant.ts'
import { createTenantAndOperator } from '../../../../test/harness/data/tenant-and-operator.ts'
import { assertError, assertInvalid } from '../../../../test/harness/installation/api-client.ts'
import { useSharedApis } from '../../../../test/harness/installation/running-installation.ts'
import { pluck } from '../../../../test/harness/pluck.ts'

const reason = 'for a test'

describe('an offering on sale: pause, resume and other terms', async () => {
  const { installation, operatorApi, tenant, operator } = await createTenantAndOperator(await useSharedApis())

  const historyOf = async (offeringId: string, query = '') =>
    (await operator.get(`/offerings/${offeringId}/terms-history${query}`)).body
  const order = (offeringId: string, accountId: string, units = '1000000000') =>
    tenant.post(`/offerings/${offeringId}/orders`, { account_id: accountId, units })

  test('a paused offering is CLOSED for integrators and sells nothing, until it is resumed', async () => {
    const [offeringId, accountId] = [await tenant.fixtures.offering(tenant.id), await tenant.account()]
    const existing = await tenant.order(offeringId, accountId)
    const paused = await operator.post(`/offerings/${offeringId}/pause`, { reason })
    assert.deepEqual([paused.status, paused.body.status], [200, 'PAUSED'], paused.text)
    assert.equal((await tenant.get(`/offerings/${offeringId}`)).body.status, 'CLOSED')
    const { results } = (await tenant.get('/offerings')).body
    assert.equal(results.find(({ id }: { id: string }) => id === offeringId).status, 'CLOSED')
    assertError(await order(offeringId, accountId), 409, 'offering_not_open')
    const asOperator = { account_id: accountId, units: '1000000000', reason }
    assertError(await operator.post(`/offerings/${offeringId}/orders`, asOperator), 409, 'offering_not_open')
    // Existing orders continue.
    await tenant.fixtures.pay(tenant.id, existing)
    assert.equal((await operator.get(`/orders/${existing}`)).body.status, 'PAID')
    assertError(await operator.post(`/offerings/${offeringId}/open`), 409, 'offering_not_draft')
    const resumed = await operator.post(`/offerings/${offeringId}/resume`, { reason })
    assert.deepEqual([resumed.status, resumed.body.status], [200, 'OPEN'], resumed.text)
    assert.equal((await order(offeringId, accountId)).status, 201)
    const events = (await recordedEvents(installation, tenant.id)).filter(
      ({ type, data }) => type.startsWith('offering.') && data['offering_id'] === offeringId,
    )
    assert.deepEqual(
      events.map(({ type, data }) => [type, data['previous_status']]),
      [
        ['offering.opened', 'DRAFT'],
        ['offering.closed', 'OPEN'],
        ['offering.opened', 'CLOSED'],
      ],
    )
  })

  test('pausing takes one person and resuming two; a paused offering can be closed; a draft or a closed one cannot be paused', async () => {
    const strict = await TestTenant.create(installation, await installation.startApi())
    const [first, second] = [
      await OperatorClient.create(installation, operatorApi, strict.id),
      await installation.createOperator(strict.id),
    ]
    const offeringId = await strict.fixtures.offering(strict.id)
    await installation.rows('delete from directory.approval_policy where tenant_id = $1', [strict.id])
    assert.equal((await first.post(`/offerings/${offeringId}/pause`, { reason })).status, 200)
    const proposal = await first.post(`/offerings/${offeringId}/resume`, { reason })
    assert.equal((await first.get(`/offerings/${offeringId}`)).body.status, 'PAUSED')
    assert.equal((await confirmAs(operatorApi, second, proposal)).body.result.status, 'OPEN')
    await first.post(`/offerings/${offeringId}/pause`, { reason })
    assert.equal((await first.post(`/offerings/${offeringId}/close`)).body.status, 'CLOSED')
    assertError(await first.post(`/offerings/${offeringId}/pause`, { reason }), 409, 'offering_not_on_sale')
    assertError(await first.post(`/offerings/${offeringId}/resume`, { reason }), 409, 'offering_not_on_sale')
    const draft = await strict.fixtures.offering(strict.id, { status: 'DRAFT' })
    assertError(await first.post(`/offerings/${draft}/pause`, { reason }), 409, 'offering_not_on_sale')
  })

  test('two persons change end and limits while orders come in, but never below what is sold', async () => {
    const [offeringId, accountId] = [await tenant.fixtures.offering(tenant.id), await tenant.account()]
    await tenant.order(offeringId, accountId, '3000000000')
    const path = `/offerings/${offeringId}/terms`
    assertError(await operator.post(path, { total_units: '2999999999', reason }), 409, 'offering_cap_too_low')
    for (const body of [
      { reason },
      { total_units: '4000000000' },
      { closes_at: '2020-01-01T00:00:00.000Z', reason },
      { total_units: '4000000000', max_units: '5000000000', reason },
      { price_per_token: '1', reason },
    ])
      assertInvalid(await operator.post(path, body))
    const change = { total_units: '4000000000', max_units: '1000000000', closes_at: '2099-01-01T00:00:00.000Z' }
    const proposal = await operator.post(path, { ...change, reason })
    // An order in between changes the row of the offering, but not what was proposed.
    assert.equal((await order(offeringId, accountId, '500000000')).status, 201)
    const second = await installation.createOperator(tenant.id)
    const confirmed = await confirmAs(operatorApi, second, proposal)
    assert.equal(confirmed.status, 200, confirmed.text)
    assert.deepEqual({ ...confirmed.body.result, ...change }, confirmed.body.result)
    assertInvalid(await order(offeringId, accountId, '1000000001'))
    assertError(await order(offeringId, accountId, '500000001'), 409, 'offering_sold_out')
    // The new total is high enough when it is proposed, but not when it is confirmed.
    const late = await operator.post(path, { total_units: '3500000000', max_units: null, reason })
    assert.equal((await order(offeringId, accountId, '100000000')).status, 201)
    assertError(await confirmAs(operatorApi, second, late), 409, 'offering_cap_too_low')
    const last = (await recordedEvents(installation, tenant.id)).findLast(({ type }) => type === 'offering.changed')
    assert.deepEqual(last?.data, { offering_id: offeringId, changed: ['total_units', 'max_units', 'closes_at'] })
  })

  test('the history has every change since the first draft, with both persons, in pages', async () => {
    const offeringId = await tenant.fixtures.offering(tenant.id, { status: 'DRAFT' })
    const second = await installation.createOperator(tenant.id)
    const draftChange = await operator.patch(`/offerings/${offeringId}`, { name: 'Renamed' })
    assert.equal(draftChange.status, 200, draftChange.text)
    await operator.post(`/offerings/${offeringId}/open`)
    const proposal = await operator.post(`/offerings/${offeringId}/terms`, { min_units: '100', reason })
    await confirmAs(operatorApi, second, proposal)
    const { pagination, results } = await historyOf(offeringId, '?direction=asc')
    assert.equal(pagination.count, 4)
    assert.deepEqual(pluck(results, 'action'), [
      'offering.drafted',
      'offering.changed',
      'offering.opened',
      'offering.terms_changed',
    ])
    const [drafted, renamed, , changed] = results
    assert.deepEqual([drafted.before, drafted.after.name], [null, 'Harbour Bond'])
    assert.deepEqual([renamed.before, renamed.after], [{ name: 'Harbour Bond' }, { name: 'Renamed' }])
    assert.deepEqual([changed.before, changed.after], [{ min_units: null }, { min_units: '100', reason }])
    assert.deepEqual([changed.actor_id, changed.confirmed_by], [operator.who.userId, second.userId])
    const seen = await operator.all(`/offerings/${offeringId}/terms-history`, '?limit=3')
    assert.deepEqual(pluck(seen, 'action'), pluck(results, 'action').toReversed())
  })
})
