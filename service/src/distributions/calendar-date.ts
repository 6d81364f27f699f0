const dayMs = 86_400_000

/** Year, month (1 to 12) and day of a calendar date, `2026-04-30`. */
export function partsOf(date: string): { year: number; month: number; day: number } {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return { year, month, day }
}

/** Formats a date. A day beyond the end of the month falls in a following month, as in Date.UTC. */
export function calendarDate(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
}

export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)
}

/** ISO 8601: 1 is Monday, 7 is Sunday. */
export function weekdayOf(date: string): number {
  return new Date(date).getUTCDay() || 7
}

/** Adds months. The last day of a month stays the last day, and a day that the new month lacks becomes its last day. */
export function addMonths(date: string, months: number): string {
  const { year, month, day } = partsOf(date)
  const last = daysInMonth(year, month + months)
  const isLast = day === daysInMonth(year, month)
  return calendarDate(year, month + months, isLast ? last : Math.min(day, last))
}

export function daysInMonth(year: number, month: number): number {
  return partsOf(calendarDate(year, month + 1, 0)).day
}
