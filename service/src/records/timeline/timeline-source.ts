import type { Sql } from '../../platform/db/sql.ts'

/** What has a timeline. */
export type TimelineSubject = 'order' | 'account' | 'offering'

export interface TimelineKey {
  readonly tenantId: string
  readonly subjectId: string
}

/** Rows that are on timelines. Each wing declares its own sources; combined/timeline/timeline-sources.ts lists all. */
export interface TimelineSource {
  readonly source: string
  readonly from: Sql
  /** The rows of a subject, beginning with the tenant; absent if they are not on the timeline of such a subject. */
  readonly of: Readonly<Partial<Record<TimelineSubject, (key: TimelineKey) => Sql>>>
  /** A uuid that is unique within the source. */
  readonly id: Sql
  readonly at: Sql
  /** What happened. */
  readonly type: Sql
  /** The user or credential that did it. */
  readonly actorId?: Sql
  /** Resources to open, as a JSON object from the names of their types with `_id` to their ids. */
  readonly links: Sql
  /** Further facts, as a JSON object, without personal data. */
  readonly detail?: Sql
  /** The sealed text of a note. */
  readonly text?: Sql
}
