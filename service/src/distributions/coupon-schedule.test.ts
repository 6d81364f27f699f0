import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { DirectOperations } from '../../test/harness/callers/operations.ts'
import { OperatorClient } from '../../test/harness/callers/operator-client.ts'
import { Fixtures } from '../../test/harness/data/fixtures.ts'
import { assertInvalid } from '../../test/harness/installation/api-client.ts'
import { sharedInstallation } from '../../test/harness/installation/shared-installation.ts'
import { distributionRequests } from '../../test/harness/operator-requests/distribution-requests.ts'
import { couponPeriod } from './coupon-period.ts'
import { draftCoupon } from './draft-coupon.job.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- the body is that of a valid request
const body: any = distributionRequests['createCouponSchedule']?.body?.({} as never)

/**
 * The days are those of ISDA's examples of 30/360 for the same days of 2007 and 2008, see day-count-fraction.test.ts: 30
 * September to 31 March has 180. The payment dates follow the ECB's closing days of Easter 2024, see target-days.test.ts.
 */
test('the periods of a bond: unadjusted interest, adjusted payments, a short last period', () => {
  const terms = {
    nominalPerToken: '1000',
    ratePercent: '5',
    dayCount: '30/360',
    businessDays: 'MODIFIED_FOLLOWING',
    interestFrom: '2023-09-30',
    firstPaysOn: '2024-03-31',
    months: 6,
    maturesOn: '2024-12-31',
    recordDays: 1,
  } as const
  assert.deepEqual(couponPeriod(terms, 1), {
    from: '2023-09-30',
    to: '2024-03-31',
    payOn: '2024-03-28',
    recordAt: new Date('2024-03-27T23:59:59.999Z'),
    ratePerToken: '25',
  })
  const second = couponPeriod(terms, 2)
  assert.deepEqual([second?.from, second?.to, second?.payOn], ['2024-03-31', '2024-09-30', '2024-09-30'])
  const third = couponPeriod(terms, 3)
  // 30 September to 31 December are 90 days by 30/360.
  assert.deepEqual([third?.from, third?.to, third?.ratePerToken], ['2024-09-30', '2024-12-31', '25/2'])
  assert.equal(couponPeriod(terms, 4), undefined)
})

describe('a coupon schedule', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const tenantId = await installation.createTenant('C')
  const operator = await OperatorClient.create(installation, await installation.startOperatorApi(), tenantId)
  const offeringId = await new Fixtures(installation).offering(tenantId)

  const drafts = async () => (await operator.get(`/distributions?direction=asc`)).body.results
  const runAt = (scheduleId: string, at: string) => {
    const { databases } = new DirectOperations(installation, operator.who.tenantId)
    const payload = { tenant_id: operator.who.tenantId, schedule_id: scheduleId }
    return draftCoupon.run(payload, { ...databases, clock: () => new Date(at) })
  }

  test('drafts each period once, when it is due, and ends at maturity', async () => {
    const path = `/offerings/${offeringId}/coupon-schedules`
    const created = await operator.post(path, { ...body, matures_on: '2027-01-01' })
    assert.equal(created.status, 201, created.text)
    const { id, next_period: next } = created.body
    // A quarter by ACT/ACT ICMA is a fourth of 52.50.
    assert.deepEqual([next.pay_on, next.rate_per_token], ['2026-10-01', '105/8'])
    await runAt(id, '2026-09-16T00:00:00Z')
    assert.deepEqual(await drafts(), [])
    await Promise.all([runAt(id, '2026-09-17T00:00:00Z'), runAt(id, '2026-09-17T00:00:00Z')])
    const [draft, ...others] = await drafts()
    assert.equal(others.length, 0)
    assert.deepEqual(
      [draft.status, draft.kind, draft.rate_per_token, draft.pay_on, draft.record_at, draft.period_number],
      ['DRAFT', 'COUPON', '105/8', '2026-10-01', '2026-09-30T23:59:59.999Z', 1],
    )
    // A worker that was down for long catches up. 1 January is a holiday of TARGET.
    await runAt(id, '2027-03-01T00:00:00Z')
    assert.deepEqual(
      (await drafts()).map((one: { pay_on: string }) => one.pay_on),
      ['2026-10-01', '2027-01-04'],
    )
    const [schedule] = (await operator.get('/coupon-schedules')).body.results
    assert.deepEqual([schedule.status, schedule.next_period], ['ended', null])
  })

  test('drafts nothing once it is ended, and rejects terms without a period', async () => {
    const { body: schedule } = await operator.post(`/offerings/${offeringId}/coupon-schedules`, body)
    assert.equal((await operator.post(`/coupon-schedules/${schedule.id}/end`)).body.status, 'ended')
    const drafted = (await drafts()).length
    await runAt(schedule.id, '2030-01-01T00:00:00Z')
    assert.equal((await drafts()).length, drafted)
    for (const change of [
      { first_pays_on: '2026-07-01' },
      { matures_on: '2026-09-30' },
      { rate_percent: '0' },
      { interest_from: '1999-01-01' },
      { months: 2 },
    ])
      assertInvalid(await operator.post(`/offerings/${offeringId}/coupon-schedules`, { ...body, ...change }))
  })
})
