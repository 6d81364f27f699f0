import { addMonths, calendarDate, daysBetween, daysInMonth, partsOf } from './calendar-date.ts'
import { add, type Rational, rational } from './rational.ts'

export const dayCounts = ['30/360', 'ACT/365', 'ACT/ACT_ICMA', 'ACT/ACT_ISDA'] as const
export type DayCount = (typeof dayCounts)[number]

/** The first day of a period is counted, the last is not. */
export interface Period {
  readonly from: string
  readonly to: string
}

/** The regular payment dates of a bond: any one of them, and the months between two. */
export interface RegularPeriods {
  readonly anchor: string
  readonly months: number
}

/**
 * Returns the exact part of a year's interest that a period earns. Sections are those of the 2006 ISDA Definitions:
 * `30/360` is Bond Basis (4.16 f), `ACT/365` is Fixed (4.16 d), `ACT/ACT_ISDA` is 4.16 (b), and `ACT/ACT_ICMA` is rule
 * 251 of ICMA (4.16 c), which needs to know the regular periods.
 */
export function dayCountFraction(dayCount: DayCount, period: Period, regular: RegularPeriods): Rational {
  if (period.to <= period.from) throw new Error('a period must end after it begins')
  if (dayCount === '30/360') return rational(BigInt(bondBasisDays(period)), 360n)
  if (dayCount === 'ACT/365') return rational(BigInt(daysBetween(period.from, period.to)), 365n)
  return dayCount === 'ACT/ACT_ISDA' ? actualActualIsda(period) : actualActualIcma(period, regular)
}

function bondBasisDays({ from, to }: Period): number {
  const [start, end] = [partsOf(from), partsOf(to)]
  const firstDay = Math.min(start.day, 30)
  const lastDay = end.day === 31 && firstDay === 30 ? 30 : end.day
  return 360 * (end.year - start.year) + 30 * (end.month - start.month) + (lastDay - firstDay)
}

/** Counts days in leap years as a 366th and the others as a 365th. */
function actualActualIsda({ from, to }: Period): Rational {
  const years = Array.from({ length: partsOf(to).year - partsOf(from).year + 1 }, (_, index) => {
    return partsOf(from).year + index
  })
  return years
    .map((year) => {
      const begins = calendarDate(year, 1, 1)
      const ends = calendarDate(year + 1, 1, 1)
      const days = daysBetween(from > begins ? from : begins, to < ends ? to : ends)
      return rational(BigInt(days), daysInMonth(year, 2) === 29 ? 366n : 365n)
    })
    .reduce(add)
}

/** Each regular period earns the same; a part of one earns its share by days. */
function actualActualIcma({ from, to }: Period, { anchor, months }: RegularPeriods): Rational {
  let sum = rational(0n)
  for (let index = indexBefore(from, { anchor, months }); ; index += 1) {
    const begins = addMonths(anchor, index * months)
    const ends = addMonths(anchor, (index + 1) * months)
    if (begins >= to) return sum
    if (ends <= from) continue
    const days = daysBetween(from > begins ? from : begins, to < ends ? to : ends)
    sum = add(sum, rational(BigInt(days * months), BigInt(daysBetween(begins, ends) * 12)))
  }
}

/** Returns the index of a regular period that begins at the date or at most a few periods before it. */
function indexBefore(date: string, { anchor, months }: RegularPeriods): number {
  const days = daysBetween(anchor, date)
  return Math.floor(days / (months * (days < 0 ? 28 : 31))) - 1
}
