import { addDays, calendarDate, partsOf, weekdayOf } from './calendar-date.ts'

export const businessDayRules = ['NONE', 'FOLLOWING', 'MODIFIED_FOLLOWING'] as const
export type BusinessDayRule = (typeof businessDayRules)[number]

/** Moves a date to a day on which TARGET is open, by a rule of the 2006 ISDA Definitions, section 4.12. */
export function adjustToTarget(date: string, rule: BusinessDayRule): string {
  if (rule === 'NONE') return date
  const following = nextOpen(date, 1)
  const isSameMonth = following.slice(0, 7) === date.slice(0, 7)
  return rule === 'FOLLOWING' || isSameMonth ? following : nextOpen(date, -1)
}

/** Returns the date that is a number of TARGET business days before another. */
export function targetDaysBefore(date: string, days: number): string {
  let found = date
  for (let left = days; left > 0; left -= 1) found = nextOpen(addDays(found, -1), -1)
  return found
}

/**
 * Returns true if TARGET, the settlement system of the euro, is open. Its calendar has not changed since 2002:
 * https://www.ecb.europa.eu/paym/target/target2/profuse/calendar
 */
export function isTargetDay(date: string): boolean {
  if (weekdayOf(date) > 5) return false
  const { year } = partsOf(date)
  if (year < 2002) throw new Error('the calendar of TARGET begins in 2002')
  if (['01-01', '05-01', '12-25', '12-26'].includes(date.slice(5))) return false
  const easter = easterSunday(year)
  return date !== addDays(easter, -2) && date !== addDays(easter, 1)
}

/** TARGET is never closed for longer than five days. */
function nextOpen(date: string, step: 1 | -1): string {
  let found = date
  for (let tries = 0; tries < closedDaysMax; tries += 1) {
    if (isTargetDay(found)) return found
    found = addDays(found, step)
  }
  throw new Error('no business day was found')
}

const closedDaysMax = 10

/** Uses the anonymous Gregorian algorithm (Meeus, Astronomical Algorithms, chapter 8). */
function easterSunday(year: number): string {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = Math.floor(b / 4)
  const e = b % 4
  const f = Math.floor((b + 8) / 25)
  const g = Math.floor((b - f + 1) / 3)
  const h = (19 * a + b - d - g + 15) % 30
  const i = Math.floor(c / 4)
  const k = c % 4
  const l = (32 + 2 * e + 2 * i - h - k) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const month = Math.floor((h + l - 7 * m + 114) / 31)
  const day = ((h + l - 7 * m + 114) % 31) + 1
  return calendarDate(year, month, day)
}
