import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { confirmAs } from '../../../test/harness/callers/second-person.ts'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import type { RunningApi } from '../../../test/harness/installation/running-api.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import type { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { createPayoutWorld } from '../../../test/harness/money/payout-world.ts'

const payerIban = 'DE02120300000000202051'

describe('release of payouts, and refunds sent by hand', () => {
  let installation: TestInstallation
  let api: RunningApi
  let operatorApi: RunningApi

  before(async () => {
    installation = await sharedInstallation()
    ;[api, operatorApi] = await Promise.all([installation.startApi(), installation.startOperatorApi()])
  })
  after(() => installation.end())

  const world = () => createPayoutWorld({ installation, api, operatorApi })

  test('a payout can be downloaded only after a second person has released it', async () => {
    const { operator, second, refundOf, createPayout, download } = await world()
    await refundOf(payerIban)
    const { id } = (await createPayout()).body
    assertError(await download(id), 409, 'payout_not_released')
    const proposal = await operator.post(`/payouts/${id}/release`)
    assert.deepEqual([proposal.status, proposal.body.confirm_duty], [202, 'release'])
    assertError(await download(id), 409, 'payout_not_released')
    const own = await operatorApi.call('POST', `/approvals/${proposal.body.approval_id}/confirm`, {
      cookie: operator.who.cookie,
    })
    assertError(own, 403, 'insufficient_duty')
    const confirmed = await confirmAs(operatorApi, second, proposal)
    assert.deepEqual([confirmed.body.result.status, confirmed.body.result.downloaded_at], ['released', null])
    assert.equal((await operator.post(`/payouts/${id}/release`)).body.status, 'released')
    assert.equal((await download(id)).status, 200)
    assert.equal((await operator.post(`/payouts/${id}/release`)).body.status, 'downloaded')
  })

  test('a payout that was discarded, or lost a refund, after the proposal cannot be released by it', async () => {
    const { operator, second, order, pay, refundOf, refundIdOf, tenant, createPayout } = await world()
    await refundOf(payerIban)
    const discarded = (await createPayout()).body
    const one = await operator.post(`/payouts/${discarded.id}/release`)
    await operator.post(`/payouts/${discarded.id}/discard`)
    assertError(await confirmAs(operatorApi, second, one), 409, 'subject_changed')
    assertError(await operator.post(`/payouts/${discarded.id}/release`), 409, 'payout_not_in_state')

    const late = await order()
    await tenant.fixtures.bringTo(tenant.id, late.orderId, 'NOPAYMENT')
    await pay(late.reference, payerIban)
    const { id } = (await createPayout()).body
    const other = await operator.post(`/payouts/${id}/release`)
    assert.equal((await operator.post(`/orders/${late.orderId}/accept-late-payment`)).status, 200)
    assert.equal((await operator.get(`/refunds/${await refundIdOf(late.orderId)}`)).body.status, 'withdrawn')
    assertError(await confirmAs(operatorApi, second, other), 409, 'subject_changed')
  })

  test('one person releases alone below the threshold of the tenant; several currencies have none', async () => {
    const { tenant, operator, order, refundOf, pay, cancel, createPayout } = await world()
    await installation.owner((client) =>
      client.query(
        `insert into directory.approval_policy (tenant_id, policy, from_minor) values ($1, 'payout_release', 12501)`,
        [tenant.id],
      ),
    )
    await refundOf(payerIban)
    const { id } = (await createPayout()).body
    assert.equal((await operator.post(`/payouts/${id}/release`)).status, 200)
    await refundOf(payerIban)
    await refundOf(payerIban)
    assert.equal((await operator.post(`/payouts/${(await createPayout()).body.id}/release`)).status, 202)

    const inFrancs = await order(undefined, await tenant.fixtures.offering(tenant.id, { currency: 'CHF' }))
    const inEuros = await order()
    await pay(inFrancs.reference, payerIban, '0.01', 'CHF')
    await pay(inEuros.reference, payerIban, '0.01', 'EUR')
    await cancel(inFrancs.orderId)
    await cancel(inEuros.orderId)
    const both = (await createPayout()).body
    assert.equal(both.sums.length, 2)
    assert.equal((await operator.post(`/payouts/${both.id}/release`)).status, 202)
  })

  test('a refund is marked as sent by hand only after a second person has confirmed it, like a payout', async () => {
    const { tenant, operator, second, refundOf } = await world()
    const [refundId, other] = [await refundOf(payerIban), await refundOf(payerIban)]
    const path = `/refunds/${refundId}/send`
    const statusOf = async (id: string) => (await operator.get(`/refunds/${id}`)).body.status
    const proposal = await operator.post(path, { reference: 'RUN-1' })
    assert.deepEqual([proposal.status, proposal.body.confirm_duty], [202, 'release'], proposal.text)
    assert.equal(await statusOf(refundId), 'due')
    const own = await operatorApi.call('POST', `/approvals/${proposal.body.approval_id}/confirm`, {
      cookie: operator.who.cookie,
    })
    assertError(own, 403, 'insufficient_duty')
    const late = await operator.post(path, { reference: 'RUN-2' })
    const { result } = (await confirmAs(operatorApi, second, proposal)).body
    assert.deepEqual([result.status, result.reference], ['sent', 'RUN-1'])
    // The refund is sent: a second proposal has no effect, and repeating the request needs no second person.
    assertError(await confirmAs(operatorApi, second, late), 409, 'subject_changed')
    const repeated = await operator.post(path, { reference: 'RUN-3' })
    assert.deepEqual([repeated.status, repeated.body.reference], [200, 'RUN-1'])
    // The tenant's threshold for payouts decides whether it needs a second person.
    await installation.owner((client) =>
      client.query(
        `insert into directory.approval_policy (tenant_id, policy, from_minor) values ($1, 'payout_release', 12501)`,
        [tenant.id],
      ),
    )
    assert.equal((await operator.post(`/refunds/${other}/send`, { reference: 'RUN-4' })).body.status, 'sent')
    await operator.postTogether(`/refunds/${other}/fail`, { failure: 'AC04' })
    await operator.postTogether(`/refunds/${other}/retry`)
    await installation.owner((client) =>
      client.query(`update directory.approval_policy set from_minor = 12500 where tenant_id = $1 and policy = $2`, [
        tenant.id,
        'payout_release',
      ]),
    )
    assert.equal((await operator.post(`/refunds/${other}/send`, { reference: 'RUN-5' })).status, 202)
  })
})
