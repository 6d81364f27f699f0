import { addDays, addMonths } from './calendar-date.ts'
import { type DayCount, dayCountFraction } from './day-count-fraction.ts'
import { multiply, parseRational, rational, textOf } from './rational.ts'
import { adjustToTarget, type BusinessDayRule, targetDaysBefore } from './target-days.ts'

export interface CouponTerms {
  nominalPerToken: string
  ratePercent: string
  dayCount: DayCount
  businessDays: BusinessDayRule
  interestFrom: string
  firstPaysOn: string
  months: number
  maturesOn: string
  recordDays: number
}

export interface CouponPeriod {
  /** The period by the bond's calendar. Interest counts its days, whichever of them are business days. */
  from: string
  to: string
  payOn: string
  /** End of the record day. */
  recordAt: Date
  ratePerToken: string
}

/**
 * Returns a period of a coupon schedule by its number, from 1 on; undefined after maturity. Interest is unadjusted: a
 * payment that moves to a business day earns no more. The last period ends at maturity and may be shorter.
 */
export function couponPeriod(terms: CouponTerms, number: number): CouponPeriod | undefined {
  const { firstPaysOn, months, maturesOn, interestFrom } = terms
  const from = number === 1 ? interestFrom : addMonths(firstPaysOn, (number - 2) * months)
  if (from >= maturesOn) return undefined
  const regularEnd = addMonths(firstPaysOn, (number - 1) * months)
  const to = regularEnd < maturesOn ? regularEnd : maturesOn
  const payOn = adjustToTarget(to, terms.businessDays)
  const recordDay = targetDaysBefore(payOn, terms.recordDays)
  const fraction = dayCountFraction(terms.dayCount, { from, to }, { anchor: firstPaysOn, months })
  const yearly = multiply(
    parseRational(terms.nominalPerToken),
    multiply(parseRational(terms.ratePercent), rational(1n, 100n)),
  )
  return {
    from,
    to,
    payOn,
    recordAt: new Date(Date.parse(addDays(recordDay, 1)) - 1),
    ratePerToken: textOf(multiply(yearly, fraction)),
  }
}
