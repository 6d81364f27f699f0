import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { confirmAs } from '../../../test/harness/callers/second-person.ts'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { useSharedApis } from '../../../test/harness/installation/running-installation.ts'
import { setThreshold } from '../../../test/harness/installation/test-tenants.ts'
import { createPayoutWorld } from '../../../test/harness/money/payout-world.ts'

const payerIban = 'DE02120300000000202051'

describe('release of payouts, and refunds sent by hand', async () => {
  const running = await useSharedApis()
  const { installation, operatorApi } = running
  const world = () => createPayoutWorld(running)

  test('a payout can be downloaded only after a second person has released it', async () => {
    const { operator, second, refundOf, createPayout, download } = await world()
    await refundOf(payerIban)
    const { id } = (await createPayout()).body
    assertError(await download(id), 409, 'payout_not_released')
    const proposal = await operator.post(`/payouts/${id}/release`)
    assert.deepEqual([proposal.status, proposal.body.confirm_duty], [202, 'release'])
    assertError(await download(id), 409, 'payout_not_released')
    assertError(await confirmAs(operatorApi, operator.who, proposal), 403, 'insufficient_duty')
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
    await tenant.fixtures.bringTo(tenant.id, late.id, 'NOPAYMENT')
    await pay(late.reference, payerIban)
    const { id } = (await createPayout()).body
    const other = await operator.post(`/payouts/${id}/release`)
    assert.equal((await operator.post(`/orders/${late.id}/accept-late-payment`)).status, 200)
    assert.equal((await operator.get(`/refunds/${await refundIdOf(late.id)}`)).body.status, 'withdrawn')
    assertError(await confirmAs(operatorApi, second, other), 409, 'subject_changed')
  })

  test('one person releases alone below the threshold of the tenant; several currencies have none', async () => {
    const { tenant, operator, order, refundOf, pay, cancel, createPayout } = await world()
    await setThreshold(installation, tenant.id, 'payout_release', 12_501)
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
    await cancel(inFrancs.id)
    await cancel(inEuros.id)
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
    assertError(await confirmAs(operatorApi, operator.who, proposal), 403, 'insufficient_duty')
    const late = await operator.post(path, { reference: 'RUN-2' })
    const { result } = (await confirmAs(operatorApi, second, proposal)).body
    assert.deepEqual([result.status, result.reference], ['sent', 'RUN-1'])
    // The refund is sent: a second proposal has no effect, and repeating the request needs no second person.
    assertError(await confirmAs(operatorApi, second, late), 409, 'subject_changed')
    const repeated = await operator.post(path, { reference: 'RUN-3' })
    assert.deepEqual([repeated.status, repeated.body.reference], [200, 'RUN-1'])
    // The tenant's threshold for payouts decides whether it needs a second person.
    await setThreshold(installation, tenant.id, 'payout_release', 12_501)
    assert.equal((await operator.post(`/refunds/${other}/send`, { reference: 'RUN-4' })).body.status, 'sent')
    await operator.postTogether(`/refunds/${other}/fail`, { failure: 'AC04' })
    await operator.postTogether(`/refunds/${other}/retry`)
    await setThreshold(installation, tenant.id, 'payout_release', 12_500)
    assert.equal((await operator.post(`/refunds/${other}/send`, { reference: 'RUN-5' })).status, 202)
  })
})
