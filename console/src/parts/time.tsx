import { useTranslation } from 'react-i18next'
import { relativeText, timeText } from '../text/format.ts'

/** A time in the person's zone, with UTC on hover. */
export function Time({ time, isRelative = false }: { time: string | null; isRelative?: boolean }) {
  // Renders again when the language changes.
  useTranslation()
  if (time === null) return <span className="muted">–</span>
  return (
    <time dateTime={time} title={`${time.replace('T', ' ').slice(0, 19)} UTC`}>
      {isRelative ? relativeText(time) : timeText(time)}
    </time>
  )
}
