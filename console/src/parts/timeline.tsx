import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { dateText } from '../text/format.ts'
import { EmptyState } from './empty-state.tsx'
import { Time } from './time.tsx'

export interface TimelineEntry {
  readonly id: string
  readonly at: string
  readonly text: string
  readonly who?: string
  /** Shown beside the text, such as an amount. */
  readonly aside?: ReactNode
  /** Shown when the entry is expanded. */
  readonly detail?: ReactNode
  /** Always shown. */
  readonly body?: ReactNode
}

/** History of an object by day, newest first. */
export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  const { t } = useTranslation()
  if (entries.length === 0) return <EmptyState text={t('parts.nothingHappened')} />
  const days = Map.groupBy(entries, ({ at }) => dateText(at))
  return [...days].map(([day, ofDay]) => (
    <section key={day}>
      <h3 className="small muted" style={{ margin: '12px 0 4px' }}>
        {day}
      </h3>
      <ol className="timeline">
        {ofDay.map((entry) => (
          <li key={entry.id}>
            {entry.body === undefined ? (
              <details>
                <summary>
                  <EntryLine entry={entry} />
                </summary>
                {entry.detail}
              </details>
            ) : (
              <>
                <div className="timeline-line">
                  <EntryLine entry={entry} />
                </div>
                {entry.body}
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  ))
}

function EntryLine({ entry: { text, who, aside, at } }: { entry: TimelineEntry }) {
  return (
    <>
      <span>{text}</span>
      {aside}
      {who && <span className="muted">{who}</span>}
      <span className="small muted" style={{ marginLeft: 'auto' }}>
        <Time time={at} />
      </span>
    </>
  )
}
