import { Type } from 'typebox'
import {
  CalendarDate,
  Closed,
  CurrencyCode,
  Decimal,
  Named,
  orNull,
  Timestamp,
  Uuid,
} from '../platform/api/declare/fields.ts'
import { dayCounts } from './day-count-fraction.ts'
import { SourceAccount, Withholding } from './distribution.schema.ts'
import { businessDayRules } from './target-days.ts'

export const CouponSchedulePath = Type.Object({ scheduleId: Uuid('The coupon schedule.') })

const terms = {
  currency: CurrencyCode('What is paid.'),
  nominal_per_token: Decimal('The nominal amount of a whole token.', '1000.00'),
  rate_percent: Decimal('Interest for a year, in percent of the nominal amount.', '5.25'),
  day_count: Type.Enum(dayCounts, {
    description:
      'How days count. By the 2006 ISDA Definitions, section 4.16: `30/360` is (f), `ACT/365` is (d), `ACT/ACT_ISDA` ' +
      'is (b); `ACT/ACT_ICMA` is rule 251 of ICMA.',
  }),
  business_days: Type.Enum(businessDayRules, {
    description: 'How a payment moves that falls on a day on which TARGET is closed. Interest does not change.',
  }),
  interest_from: CalendarDate('Interest runs from this day.'),
  first_pays_on: CalendarDate('The end of the first period.'),
  months: Type.Integer({
    minimum: 1,
    maximum: 12,
    description: 'Months between two payments: 1, 3, 6 or 12.',
    examples: [3],
  }),
  matures_on: CalendarDate('The end of the last period.'),
  record_days: Type.Integer({
    minimum: 0,
    maximum: 30,
    description: 'The record time is the end of the day this many business days before the payment.',
    examples: [1],
  }),
  draft_days: Type.Integer({
    minimum: 0,
    maximum: 90,
    description: 'A draft is created this many days before the payment.',
    examples: [14],
  }),
  source_account: SourceAccount,
  withholding: Withholding,
}

export const NewCouponSchedule = Named('NewCouponSchedule', { ...terms, withholding: Type.Optional(terms.withholding) })

export const CouponSchedule = Named('CouponSchedule', {
  id: Uuid('The coupon schedule.'),
  offering_id: Uuid('The offering.'),
  ...terms,
  status: Type.Enum(['active', 'ended'] as const),
  next_period: orNull(
    Closed({
      number: Type.Integer({ minimum: 1, maximum: 10_000, examples: [1] }),
      from: CalendarDate('Its first day.'),
      to: CalendarDate('The day after its last.'),
      pay_on: CalendarDate('When it is paid.'),
      record_at: Timestamp('Its record time.'),
      rate_per_token: Type.String({ description: 'What it pays for a whole token.', examples: ['910/73'] }),
    }),
    { description: 'The next period that is drafted; null once the schedule has ended.' },
  ),
  created_at: Timestamp('When it was created.'),
})
