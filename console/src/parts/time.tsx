import { useTranslation } from 'react-i18next'
import { dayLabel, relativeText, timeText } from '../text/format.ts'

interface TimeProps {
  readonly time: string | null
  readonly isRelative?: boolean
  /** Of a bank entry, of which most banks know the day only: it is stored as the midnight that begins it in UTC. */
  readonly isBooking?: boolean
}

/** A time in the person's zone, with UTC on hover. */
export function Time({ time, isRelative = false, isBooking = false }: TimeProps) {
  // Renders again when the language changes.
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
