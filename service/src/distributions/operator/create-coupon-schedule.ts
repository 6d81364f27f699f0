import type { Static } from 'typebox'
import { operatorOperation } from '../../platform/api/declare/operation.ts'
import { ApiError, type Failure, validationFailed } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { newRowId } from '../../platform/base/ids.ts'
import { OfferingPath } from '../../sales/offerings/offering.schema.ts'
import { findOffering } from '../../sales/offerings/operator/operator-offering.sql.ts'
import { CouponSchedule, NewCouponSchedule } from '../coupon-schedule.schema.ts'
import { insertCouponSchedule } from '../coupon-schedule.sql.ts'
import { viewCouponSchedule } from '../coupon-schedule.view.ts'
import { enqueueDraft } from '../draft-coupon.job.ts'
import { accountFailures, withholdingFailures } from '../parse-terms.ts'

export const createCouponSchedule = operatorOperation(
  {
    id: 'createCouponSchedule',
    summary: 'Create a coupon schedule',
    description:
      'Drafts a distribution for each period of a bond, some days before it is paid. A draft pays nothing: calculate ' +
      'it and have it approved, as any distribution.',
    tag: 'Distributions',
    method: 'POST',
    path: '/offerings/:offeringId/coupon-schedules',
    duty: 'money',
    approval: 'never',
    idempotency: 'optional',
    params: OfferingPath,
    body: NewCouponSchedule,
    bodyExamples: {
      quarterly: {
        currency: 'EUR',
        nominal_per_token: '1000.00',
        rate_percent: '5.25',
        day_count: 'ACT/ACT_ICMA',
        business_days: 'FOLLOWING',
        interest_from: '2026-07-01',
        first_pays_on: '2026-10-01',
        months: 3,
        matures_on: '2031-07-01',
        record_days: 1,
        draft_days: 14,
        source_account: { account_holder: 'Harbour Bond GmbH', iban: 'DE89370400440532013000', bic: '' },
      },
    },
    success: { status: 201, body: CouponSchedule },
    errors: [requestErrors.not_found],
  },
  async ({ params: { offeringId }, body }, { tenantId, tx, now, audit }) => {
    const failures = failuresOf(body)
    if (failures.length > 0) throw validationFailed(failures)
    if (!(await findOffering(tx, { tenantId, offeringId })))
      throw new ApiError(requestErrors.not_found, 'The offering does not exist.')
    const schedule = await insertCouponSchedule(tx, tenantId, {
      id: newRowId(),
      offeringId,
      currency: body.currency,
      nominalPerToken: body.nominal_per_token,
      ratePercent: body.rate_percent,
      dayCount: body.day_count,
      businessDays: body.business_days,
      interestFrom: body.interest_from,
      firstPaysOn: body.first_pays_on,
      months: body.months,
      maturesOn: body.matures_on,
      recordDays: body.record_days,
      draftDays: body.draft_days,
      sourceAccount: body.source_account,
      withholding: Object.fromEntries((body.withholding ?? []).map(({ country, percent }) => [country, percent])),
      createdAt: now,
    })
    await enqueueDraft(tx, { tenantId, scheduleId: schedule.id }, schedule)
    const { withholding: _, source_account, ...after } = body
    audit({
      action: 'coupon_schedule.created',
      subject: { type: 'coupon_schedule', id: schedule.id },
      after: { ...after, source_iban: source_account.iban, offering_id: offeringId },
    })
    return viewCouponSchedule(schedule)
  },
)

const firstYear = '2002'
const lengthMax = 30

function failuresOf(body: Static<typeof NewCouponSchedule>): Failure[] {
  const { interest_from: from, first_pays_on: first, matures_on: end, source_account: source } = body
  const fail = (member: string, rule: string): Failure[] => [
    { detail: `The member ${member} ${rule}.`, pointer: `/${member}` },
  ]
  return [
    ...(from < firstYear ? fail('interest_from', `must be in ${firstYear} or later`) : []),
    ...(first <= from ? fail('first_pays_on', 'must be after interest_from') : []),
    ...(end < first ? fail('matures_on', 'must not be before first_pays_on') : []),
    ...([1, 3, 6, 12].includes(body.months) ? [] : fail('months', 'must be 1, 3, 6 or 12')),
    ...(end > '9000' ? fail('matures_on', 'must be before the year 9000') : []),
    ...(['nominal_per_token', 'rate_percent'] as const).flatMap((member) =>
      body[member].length > lengthMax || !/[1-9]/.test(body[member])
        ? fail(member, `must be above 0 and have at most ${lengthMax} characters`)
        : [],
    ),
    ...accountFailures(source),
    ...withholdingFailures(body.withholding ?? []),
  ]
}
