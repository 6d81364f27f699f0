import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DirectOperations } from '../../../test/harness/callers/operations.ts'
import { createTenantAndOperator } from '../../../test/harness/data/tenant-and-operator.ts'
import { assertError, assertInvalid } from '../../../test/harness/installation/api-client.ts'
import { useOwnApis } from '../../../test/harness/installation/running-installation.ts'
import { reportPayment } from '../../../test/harness/money/incoming-payment.ts'
import { assertMoneyAddsUp } from '../../../test/harness/money/money-check.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { recheckAccount, recheckOffering } from './recheck-orders.job.ts'
import { refundOffering } from './refund-offering.job.ts'

describe('soft cap', async () => {
  const { installation, tenant, operator } = await createTenantAndOperator(await useOwnApis())
  const direct = new DirectOperations(installation, tenant.id)
  const accountId = await tenant.account()
  await tenant.fixtures.wallet(tenant.id, accountId)
  await operator.post(`/accounts/${accountId}/decision`, {
    kyc: 'APPROVED',
    acknowledged: ['document_missing'],
    reason: 'checked',
  })

  const offering = (softCap: object) => tenant.fixtures.offering(tenant.id, { ...softCap })
  const readOffering = async (id: string) => (await operator.get(`/offerings/${id}`)).body
  const readOrder = async (id: string) => (await operator.get(`/orders/${id}`)).body
  const blockersOf = async (id: string) => pluck((await readOrder(id)).blockers, 'code')
  const statusOf = async (id: string) => (await readOrder(id)).status
  /** Orders ten tokens for 125.00. */
  const order = (offeringId: string) => tenant.order(offeringId, accountId)
  const pay = async (orderId: string) => {
    const { payment_reference: paymentReference } = await readOrder(orderId)
    await reportPayment(installation, tenant.id, { paymentReference })
  }
  const context = () => ({ ...direct.databases, clock: systemClock })
  const check = () => recheckAccount.run({ tenant_id: tenant.id, account_id: accountId }, context())
  const checkOffering = (offeringId: string) =>
    recheckOffering.run({ tenant_id: tenant.id, offering_id: offeringId }, context())
  const jobsOf = async (name: string) => {
    const rows = await installation.rows<{ count: number }>(
      'select count(*)::int as count from graphile_worker.jobs where task_identifier = $1',
      [name],
    )
    return rows[0]?.count ?? 0
  }

  for (const [kind, softCap] of [
    ['units', { soft_cap_units: '2000000000' }],
    ['money', { soft_cap_amount: '250' }],
  ] as const)
    test(`no order is ready to mint before paid orders reach the soft cap in ${kind}; then all of them are`, async () => {
      const offeringId = await offering(softCap)
      const [first, second] = [await order(offeringId), await order(offeringId)]
      await pay(first)
      await check()
      assert.deepEqual([await statusOf(first), await blockersOf(first)], ['PAID', ['soft_cap_missing']])
      assert.deepEqual((await readOffering(offeringId)).funded_amount, '125')
      const waiting = await jobsOf('check-offering-orders')
      await pay(second)
      assert.ok((await readOffering(offeringId)).soft_cap_met_at)
      assert.equal(await jobsOf('check-offering-orders'), waiting + 1)
      await checkOffering(offeringId)
      for (const id of [first, second]) assert.equal(await statusOf(id), 'READYTOMINT')
      // A soft cap that is met stays met: others may be minted already.
      await operator.post(`/orders/${first}/cancel`, { reason: 'withdrawn' })
      await check()
      assert.equal(await statusOf(second), 'READYTOMINT')
    })

  test('an order that is no longer paid does not count towards the soft cap', async () => {
    const offeringId = await offering({ soft_cap_amount: '250' })
    const [first, second] = [await order(offeringId), await order(offeringId)]
    await pay(first)
    await operator.post(`/orders/${first}/cancel`, { reason: 'withdrawn' })
    await pay(second)
    assert.equal((await readOffering(offeringId)).soft_cap_met_at, null)
  })

  test('400: a soft cap that the offering cannot reach', async () => {
    const { newOffering } = await import('../../../test/harness/data/bodies.ts')
    for (const softCap of [{ soft_cap_units: `${newOffering.total_units}0` }, { soft_cap_amount: '99999999999999' }]) {
      assertInvalid(await operator.post('/offerings', { ...newOffering, ...softCap }))
    }
  })

  test('two persons refund all orders when it is missed; a killed worker continues, and each is refunded once', async () => {
    const offeringId = await offering({ soft_cap_amount: '100000' })
    const ids: string[] = []
    for (let index = 0; index < 6; index += 1) ids.push(await order(offeringId))
    const paid = ids.slice(0, 4)
    for (const id of paid) await pay(id)
    const path = `/offerings/${offeringId}/refund-all`
    const body = { reason: 'soft cap missed' }
    assertError(await operator.post(path, body), 409, 'soft_cap_not_missed')
    await operator.post(`/offerings/${offeringId}/close`)
    const { status, text } = await operator.postTogether(path, body)
    assert.equal(status, 200, text)
    assert.equal(await jobsOf('refund-offering'), 1)
    // The worker dies in the transaction of its third order.
    let calls = 0
    const dying = () => {
      calls += 1
      if (calls === 3) throw new Error('killed')
      return new Date()
    }
    const run = (clock: () => Date) =>
      refundOffering.run({ tenant_id: tenant.id, offering_id: offeringId }, { ...direct.databases, clock })
    await assert.rejects(run(dying), /killed/)
    const cancelled = async () => {
      const states = await Promise.all(ids.map(statusOf))
      return states.filter((one) => one === 'CANCELLED').length
    }
    assert.equal(await cancelled(), 2)
    assert.equal((await readOffering(offeringId)).refunded_all_at, null)
    // An order that is paid now does not make the offering reach its soft cap.
    const late = ids.at(-1) ?? ''
    if ((await statusOf(late)) === 'ORDERED') await pay(late)
    await Promise.all([run(systemClock), run(systemClock)])
    await run(systemClock)
    assert.equal(await cancelled(), 6)
    assert.ok((await readOffering(offeringId)).refunded_all_at)
    for (const id of paid) {
      const { results } = (await operator.get(`/refunds?order_id=${id}`)).body
      assert.deepEqual(
        results.map(({ amount, reason, status: state }: Record<string, string>) => [amount, reason, state]),
        [['125.00', 'cancelled', 'due']],
      )
    }
    await assertMoneyAddsUp(installation, tenant.id)
    const rows = await installation.rows(
      `select count(*)::int as count from base.audit_log
         where action = 'order.cancelled' and actor_type = 'system' and subject_id = any ($1::uuid[])`,
      [ids],
    )
    assert.equal(rows[0].count, 6)
    // Repeating it changes nothing and needs no second person.
    assert.equal((await operator.post(path, body)).status, 200)
  })
})
