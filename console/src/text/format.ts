import i18next from 'i18next'

const dayMs = 86_400_000

/** Returns the time zone of all times on the screen: "Europe/Berlin (GMT+1)". */
export function timeZoneName(): string {
  const format = new Intl.DateTimeFormat(i18next.language, { timeZoneName: 'shortOffset' })
  const offset = format.formatToParts(new Date()).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const { timeZone } = format.resolvedOptions()
  return timeZone === 'UTC' ? 'UTC' : `${timeZone} (${offset})`
}

/** Formats date and time in the person's time zone. */
export function timeText(time: string): string {
  return new Intl.DateTimeFormat(i18next.language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time))
}

export function dateText(time: string): string {
  return new Intl.DateTimeFormat(i18next.language, { dateStyle: 'medium' }).format(new Date(time))
}

/** Formats a UTC day such as 2026-07-02, which is the same day in every time zone. */
export function dayLabel(day: string): string {
  return new Intl.DateTimeFormat(i18next.language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))
}

/** Returns "3 hours ago" within a week and otherwise the date, which says more than "40 days ago". */
export function relativeText(time: string, now = Date.now()): string {
  const difference = new Date(time).getTime() - now
  if (Math.abs(difference) > 7 * dayMs) return dateText(time)
  const format = new Intl.RelativeTimeFormat(i18next.language, { numeric: 'auto' })
  const minutes = Math.round(difference / 60_000)
  if (Math.abs(minutes) < 60) return format.format(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  if (Math.abs(hours) < 24) return format.format(hours, 'hour')
  return format.format(Math.round(hours / 24), 'day')
}

/** Formats a count: "1,204", or "10,000+" if the API stopped counting. */
export function countText({ value, isExact }: { value: number; isExact: boolean }): string {
  return new Intl.NumberFormat(i18next.language).format(value) + (isExact ? '' : '+')
}

/** Formats bytes for people: "12.4 kB". */
export function sizeText(bytes: number): string {
  const [value, unit] =
    bytes < 1_000 ? [bytes, 'byte'] : bytes < 1e6 ? [bytes / 1e3, 'kilobyte'] : [bytes / 1e6, 'megabyte']
  const format = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(i18next.language, format).format(value)
}
