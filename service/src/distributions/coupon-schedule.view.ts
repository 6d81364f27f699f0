import type { Static } from 'typebox'
import { couponPeriod } from './coupon-period.ts'
import type { CouponSchedule } from './coupon-schedule.schema.ts'
import type { CouponScheduleRow } from './coupon-schedule.sql.ts'

export function viewCouponSchedule(row: CouponScheduleRow): Static<typeof CouponSchedule> {
  const period = row.status === 'active' ? couponPeriod(row, row.nextNumber) : undefined
  return {
    id: row.id,
    offering_id: row.offeringId,
    currency: row.currency,
    nominal_per_token: row.nominalPerToken,
    rate_percent: row.ratePercent,
    day_count: row.dayCount,
    business_days: row.businessDays,
    interest_from: row.interestFrom,
    first_pays_on: row.firstPaysOn,
    months: row.months,
    matures_on: row.maturesOn,
    record_days: row.recordDays,
    draft_days: row.draftDays,
    source_account: row.sourceAccount,
    withholding: Object.entries(row.withholding).map(([country, percent]) => ({ country, percent })),
    status: row.status,
    next_period: period
      ? {
          number: row.nextNumber,
          from: period.from,
          to: period.to,
          pay_on: period.payOn,
          record_at: period.recordAt.toISOString(),
          rate_per_token: period.ratePerToken,
        }
      : null,
    created_at: row.createdAt.toISOString(),
  }
}
