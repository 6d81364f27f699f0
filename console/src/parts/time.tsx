import { useTranslation } from 'react-i18next'
import { dayLabel, relativeText, timeText } from '../text/format.ts'

interface TimeProps {
  readonly time: string | null
  readonly isRelative?: boolean
  /** True for a bank entry. Most banks report only the day, which is stored as midnight UTC at its beginning. */
  readonly isBooking?: boolean
}

/** A time in the person's zone, with UTC on hover. */
export function Time({ time, isRelative = false, isBooking = false }: TimeProps) {
  // Re-renders when the language changes.
  useTranslation()
  if (time === null) return <span className="muted">–</span>
  const day = isBooking ? /^(.{10})T00:00:00(?:\.0+)?Z$/.exec(time)?.[1] : undefined
  if (day !== undefined) return <time dateTime={day}>{dayLabel(day)}</time>
  return (
    <time dateTime={time} title={`${time.replace('T', ' ').slice(0, 19)} UTC`}>
      {isRelative ? relativeText(time) : timeText(time)}
    </time>
  )
}
