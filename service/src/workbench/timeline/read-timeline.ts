import type { Static } from 'typebox'
import { type KeysetPage, pageOf } from '../../platform/api/declare/keyset-list.ts'
import { mergeRows } from '../../platform/api/declare/merge-rows.ts'
import type { OperatorContext } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { isUuid } from '../../platform/base/ids.ts'
import type { Vault } from '../../platform/postgres/vault.ts'
import { selectActorNames } from '../../records/audit/actor-name.sql.ts'
import { openNote } from '../../records/notes/note.view.ts'
import type { TimelineSubject } from '../../records/timeline/timeline-source.ts'
import type { TimelineEntry } from './timeline.schema.ts'
import { countTimelineEntries, selectTimelineEntries, subjectExists, type TimelineRow } from './timeline.sql.ts'
import { timelineSources } from './timeline-sources.ts'

type Entry = Static<typeof TimelineEntry>

/** Reads one page of each source in one round trip, and merges them. */
export async function readTimeline(
  { subject, subjectId }: { subject: TimelineSubject; subjectId: string },
  page: KeysetPage,
  { tenantId, tx, vault, readOther }: Pick<OperatorContext, 'tenantId' | 'tx' | 'vault' | 'readOther'>,
): Promise<{ count: number } & ReturnType<typeof pageOf<TimelineRow, Entry>>> {
  const key = { tenantId, subjectId }
  const own = timelineSources.flatMap((source) => {
    const condition = source.of[subject]
    return condition ? [{ source, isOfSubject: condition(key) }] : []
  })
  const [exists, counts, pages] = await tx.batch(
    (tx) => subjectExists(tx, subject, key),
    (tx) => tx.each(own, (tx, { source, isOfSubject }) => countTimelineEntries(tx, source, isOfSubject)),
    (tx) => tx.each(own, (tx, { source, isOfSubject }) => selectTimelineEntries(tx, source, isOfSubject, page)),
  )
  if (!exists) throw new ApiError(requestErrors.not_found, `There is no such ${subject}.`)
  const rows = mergeRows(pages, page)
  const [names, texts] = await Promise.all([
    readOther((directory) =>
      selectActorNames(
        directory,
        tenantId,
        rows.flatMap(({ actorId }) => actorId ?? []),
      ),
    ),
    openTexts(rows, vault),
  ])
  const view = (row: TimelineRow) =>
    viewEntry(row, { name: names.get(row.actorId ?? '') ?? null, text: texts.get(row.id) ?? null })
  return { count: counts.reduce((sum, count) => sum + count, 0), ...pageOf(rows, page, view) }
}

async function openTexts(rows: readonly TimelineRow[], vault: Vault): Promise<ReadonlyMap<string, string>> {
  const opened = rows.flatMap(({ id, text }) =>
    text ? [openNote(vault, { id, text }).then((plain) => [id, plain] as const)] : [],
  )
  return new Map(await Promise.all(opened))
}

function viewEntry(row: TimelineRow, { name, text }: { name: string | null; text: string | null }): Entry {
  return {
    source: row.source,
    id: row.id,
    type: row.type,
    at: row.at.toISOString(),
    actor_id: row.actorId,
    actor_name: name,
    links: linksIn(row.links),
    detail: row.detail,
    text,
  }
}

/** Returns a link for each member such as `order_id`. */
function linksIn(ids: Readonly<Record<string, unknown>>): { type: string; id: string }[] {
  return Object.entries(ids).flatMap(([name, id]) =>
    name.endsWith('_id') && typeof id === 'string' && isUuid(id) ? [{ type: name.slice(0, -3), id }] : [],
  )
}
