import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { approvalRisks } from '../src/sales/accounts/approval-risks.ts'
import { lockOrder } from '../src/sales/orders/order-transition.sql.ts'
import { DirectOperations } from './harness/callers/operations.ts'
import { OperatorClient } from './harness/callers/operator-client.ts'
import { confirmAs } from './harness/callers/second-person.ts'
import { TestTenant } from './harness/data/tenant.ts'
import { type ApiResponse, assertError } from './harness/installation/api-client.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import { createUnassignedPayment } from './harness/money/incoming-payment.ts'
import { until, waitingForLocks } from './harness/wait.ts'

describe('bulk requests and expected statuses', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const [api, forOperators] = await Promise.all([installation.startApi(), installation.startOperatorApi()])
  const operatorApi = forOperators
  const tenant = await TestTenant.create(installation, api)
  const ann = await OperatorClient.create(installation, operatorApi, tenant.id)
  const ben = await OperatorClient.create(installation, operatorApi, tenant.id)
  const offeringId = await tenant.fixtures.offering(tenant.id)
  const accountId = await tenant.account()

  const order = () => tenant.order(offeringId, accountId)
  const statusOf = async (id: string) => (await ann.get(`/orders/${id}`)).body.status
  const cancel = (who: OperatorClient, id: string, expected: string) =>
    who.post(`/orders/${id}/cancel?expected_status=${expected}`, { reason: 'withdrawn' })
  const statuses = ({ body, text }: ApiResponse): number[] => {
    assert.ok(body.results, text)
    return body.results.map(({ status }: { status: number }) => status)
  }
  const auditOf = async (subjectId: string) => {
    const rows = await installation.rows(
      'select action, actor_id from base.audit_log where subject_id = $1 order by sequence',
      [subjectId],
    )
    return rows
  }

  test('if two people decide at once, the second gets 409 with the status, who changed it and when', async () => {
    const id = await order()
    // Makes both requests wait for the order, so that neither comes first by chance.
    let responses: Promise<ApiResponse[]> | undefined
    await new DirectOperations(installation, tenant.id).write(async (tx) => {
      await lockOrder(tx, { tenantId: tenant.id, orderId: id })
      responses = Promise.all([cancel(ann, id, 'ORDERED'), cancel(ben, id, 'ORDERED')])
      await until('both wait for the order', async () => (await waitingForLocks(installation)) === 2)
    })
    const [first, second] = (await responses) ?? []
    assert.deepEqual([first?.status, second?.status].toSorted(), [200, 409])
    const [won, lost] = first?.status === 200 ? [ann, second] : [ben, first]
    assert.ok(lost)
    assertError(lost, 409, 'status_changed')
    const { message, errors } = lost.body.error
    assert.match(message, /The order is CANCELLED, not ORDERED\./)
    assert.match(message, new RegExp(`order\\.cancelled by user ${won.who.userId} at \\d{4}-`))
    assert.equal(errors[0].parameter, 'expected_status')
    assert.equal((await auditOf(id)).length, 1)
  })

  test('every kind of decision compares the status; one that is still the same is accepted', async () => {
    const id = await order()
    assertError(await ann.post(`/orders/${id}/accept?expected_status=PAID`), 409, 'status_changed')
    assert.equal((await ann.post(`/orders/${id}/accept?expected_status=ORDERED`)).status, 200)
    assertError(await ann.post(`/orders/${id}/accept?expected_status=SHIPPED`), 400, 'validation_failed')
    const account = await tenant.account()
    const decision = { kyc: 'APPROVED', reason: 'checked', acknowledged: approvalRisks }
    assertError(
      await ann.post(`/accounts/${account}/decision?expected_status=PENDING`, decision),
      409,
      'status_changed',
    )
    assert.equal((await ann.post(`/accounts/${account}/decision?expected_status=NEW`, decision)).status, 200)
    const path = `/unassigned-payments/${await createUnassignedPayment(installation, tenant.id)}`
    const split = { parts: [{ order_id: id, amount: '1.00' }] }
    for (const [verb, body] of [
      ['assign', { order_id: id }],
      ['split', split],
      ['return', { reason: 'unknown' }],
      ['dismiss', { reason: 'interest' }],
    ] as const)
      assertError(await ann.post(`${path}/${verb}?expected_status=dismissed`, body), 409, 'status_changed')
    assert.equal((await ann.post(`${path}/assign?expected_status=open`, { order_id: id })).status, 200)
    const cancelled = await cancel(ann, id, 'PAID')
    assert.equal(cancelled.status, 200, cancelled.text)
    const [refund] = (await ann.get(`/refunds?order_id=${id}`)).body.results
    const sent = { reference: 'RUN-1' }
    assertError(await ann.post(`/refunds/${refund.id}/send?expected_status=sent`, sent), 409, 'status_changed')
    assert.equal((await ann.post(`/refunds/${refund.id}/send?expected_status=due`, sent)).status, 200)
    assertError(await ann.post(`/refunds/${refund.id}/retry?expected_status=failed`), 409, 'status_changed')
  })

  test('each item has its own result: a failure undoes no other item, and each is audited', async () => {
    const [one, other] = [await order(), await order()]
    const body = { reason: 'withdrawn' }
    const response = await ann.post('/bulk/cancelOrder', {
      items: [
        { order_id: one, expected_status: 'ORDERED', body },
        { order_id: crypto.randomUUID(), body },
        { order_id: other, expected_status: 'PAID', body },
        { order_id: other.toUpperCase(), body },
      ],
    })
    assert.equal(response.status, 200, response.text)
    assert.deepEqual(statuses(response), [200, 404, 409, 200])
    const [first, unknown, changed] = response.body.results
    assert.deepEqual([first.result.status, first.error, first.approval_id], ['CANCELLED', null, null])
    assert.deepEqual([unknown.result, unknown.error.code], [null, 'not_found'])
    assert.equal(changed.error.code, 'status_changed')
    for (const id of [one, other])
      assert.deepEqual(await auditOf(id), [{ action: 'order.cancelled', actor_id: ann.who.userId }])
  })

  test('repeating a bulk request with its key repeats no item that has succeeded', async () => {
    const ids = [await order(), await order()]
    const extended = (day: number) => `2099-01-0${day}T00:00:00.000Z`
    const items = ids.map((id, index) => ({ order_id: id, body: { payment_due_at: extended(index + 1) } }))
    const key = crypto.randomUUID()
    const first = await ann.post('/bulk/extendPaymentDeadline', { items: items.slice(0, 1) }, key)
    assert.deepEqual(statuses(first), [200])
    await cancel(ann, ids[0] ?? '', 'ORDERED')
    // The first item replays its response, although it could not succeed now; the second one is new.
    const again = await ann.post('/bulk/extendPaymentDeadline', { items }, key)
    assert.deepEqual(statuses(again), [200, 200])
    assert.equal(again.body.results[0].result.status, 'ORDERED')
    const other = await ann.post('/bulk/extendPaymentDeadline', { items: items.slice(0, 1) }, crypto.randomUUID())
    assert.deepEqual(statuses(other), [409])
  })

  test('an item that needs a second person has 202 as its result, and is confirmed like any other', async () => {
    await installation.useDefaultPolicies(tenant.id, 'kyc_reapproval')
    const [fresh, rejected] = [await tenant.account(), await tenant.account()]
    const decide = (kyc: string) => ({ kyc, reason: 'checked', acknowledged: approvalRisks })
    await ann.post(`/accounts/${rejected}/decision`, decide('REJECTED'))
    const response = await ann.post('/bulk/decideAccount', {
      items: [fresh, rejected].map((id) => ({ account_id: id, body: decide('APPROVED') })),
    })
    assert.deepEqual(statuses(response), [200, 202])
    const [, waiting] = response.body.results
    assert.deepEqual([waiting.result, waiting.error], [null, null])
    const second = await installation.createOperator(tenant.id)
    const proposal = { ...response, status: 202, body: { approval_id: waiting.approval_id } }
    assert.equal((await confirmAs(operatorApi, second, proposal)).status, 200)
    assert.equal((await ann.get(`/accounts/${rejected}`)).body.kyc.status, 'APPROVED')
  })

  test('one person cannot approve a rejected account through another status', async () => {
    await installation.useDefaultPolicies(tenant.id, 'kyc_reapproval')
    const rejected = await tenant.account()
    const decide = (kyc: string) =>
      ann.post(`/accounts/${rejected}/decision`, { kyc, reason: 'checked', acknowledged: approvalRisks })
    assert.equal((await decide('REJECTED')).status, 200)
    assert.equal((await decide('REJECTED')).status, 200)
    for (const status of ['PENDING', 'NEW', 'DEACTIVATED', 'APPROVED'])
      assert.equal((await decide(status)).status, 202, status)
    assert.equal((await ann.get(`/accounts/${rejected}`)).body.kyc.status, 'REJECTED')
  })

  test('a bulk request needs the duty of its operation, for the offering of each item', async () => {
    const other = await tenant.fixtures.offering(tenant.id)
    const [mine, theirs] = [await order(), await tenant.order(other, accountId)]
    const items = [mine, theirs].map((id) => ({ order_id: id, body: { reason: 'withdrawn' } }))
    const call = (token: string) => operatorApi.call('POST', '/bulk/cancelOrder', { token, body: { items } })
    const clerk = await installation.createOperator(tenant.id, { duties: ['money'] })
    assertError(await call(clerk.token), 403, 'insufficient_duty')
    const limited = await installation.createOperator(tenant.id, { duties: ['offerings'], offeringIds: [offeringId] })
    assert.deepEqual(statuses(await call(limited.token)), [200, 403])
    assert.deepEqual([await statusOf(mine), await statusOf(theirs)], ['CANCELLED', 'ORDERED'])
  })

  test('400: no item, more than 100, or an unknown operation', async () => {
    const items = (count: number) => Array.from({ length: count }, () => ({ refund_id: crypto.randomUUID() }))
    assertError(await ann.post('/bulk/retryRefund', { items: [] }), 400, 'validation_failed')
    assertError(await ann.post('/bulk/retryRefund', { items: items(101) }), 400, 'validation_failed')
    assert.deepEqual(new Set(statuses(await ann.post('/bulk/retryRefund', { items: items(100) }))), new Set([404]))
    assertError(await ann.post('/bulk/releasePayout', { items: items(1) }), 404, 'route_not_found')
  })
})
