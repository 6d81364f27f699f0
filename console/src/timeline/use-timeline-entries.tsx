import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/client.ts'
import { Copied } from '../parts/copied.tsx'
import { Diff } from '../parts/diff.tsx'
import { Facts } from '../parts/facts.tsx'
import { Money } from '../parts/money.tsx'
import type { TimelineEntry } from '../parts/timeline.tsx'
import { workTarget } from '../work/work-target.ts'
import { DeleteNote } from './delete-note.tsx'
import { useEntryText } from './entry-text.ts'

export type Entry = Schemas['TimelineEntry']

/** Longest time between an event and the audit record of who caused it, which are written together. */
const sameMs = 3_000

/** Converts entries for the timeline. Leaves out an event that has an audit record. */
export function useTimelineEntries(entries: readonly Entry[]): TimelineEntry[] {
  const textOf = useEntryText()
  const isRecorded = (entry: Entry) =>
    entry.source === 'event' &&
    entries.some(
      (other) =>
        other.source === 'audit' &&
        other.type === entry.type &&
        Math.abs(Date.parse(other.at) - Date.parse(entry.at)) < sameMs,
    )
  return entries
    .filter((entry) => !isRecorded(entry))
    .map((entry) => ({
      id: `${entry.source} ${entry.id}`,
      at: entry.at,
      text: textOf(entry),
      ...(entry.actor_name && { who: entry.actor_name }),
      ...(entry.source === 'note'
        ? { body: <NoteText entry={entry} /> }
        : { aside: <EntryAmount entry={entry} />, detail: <EntryDetail entry={entry} /> }),
    }))
}

function NoteText({ entry }: { entry: Entry }) {
  return (
    <div className="note">
      <span>{entry.text}</span>
      <DeleteNote noteId={entry.id} authorId={entry.actor_id} />
    </div>
  )
}

function EntryAmount({ entry: { detail } }: { entry: Entry }) {
  const { amount, currency } = detail ?? {}
  if (typeof amount !== 'string' || typeof currency !== 'string') return null
  return <Money amount={amount} currency={currency} />
}

/** Details of an entry: an audit record as before and after, any other as facts, with links to the objects. */
function EntryDetail({ entry: { source, detail, links } }: { entry: Entry }) {
  const { t } = useTranslation()
  const { before, after, ...others } = (detail ?? {}) as { before?: object | null; after?: object | null }
  const shown = Object.entries(source === 'audit' ? {} : others).filter(
    ([name, value]) => value !== null && !name.endsWith('_id'),
  )
  return (
    <div className="stack" style={{ gap: 8, padding: '8px 0' }}>
      {source === 'audit' && <Diff before={before as Members} after={after as Members} />}
      {shown.length > 0 && (
        <Facts
          facts={Object.fromEntries(shown.map(([name, value]) => [name.replaceAll('_', ' '), valueText(value)]))}
        />
      )}
      {links.length > 0 && (
        <div className="line small">
          {links.map(({ type, id }) => (
            <span key={`${type} ${id}`} className="line" style={{ gap: 4 }}>
              {linked.has(type) ? (
                <Link className="link" {...workTarget({ type, id })}>
                  {t(`timeline.links.${type as 'order'}`)}
                </Link>
              ) : (
                <span className="muted">{type.replaceAll('_', ' ')}</span>
              )}
              <Copied text={id} />
            </span>
          ))}
        </div>
      )}
    </div>
  )
}

type Members = Readonly<Record<string, unknown>> | null | undefined

/** Types of objects that have a page or a list. */
const linked = new Set(['order', 'account', 'offering', 'refund', 'approval', 'unassigned_payment', 'chain_op'])

function valueText(value: unknown): ReactNode {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
