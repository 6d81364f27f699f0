import type { Sql } from '../../platform/postgres/sql.ts'

/** Resources that have a timeline. */
export type TimelineSubject = 'order' | 'account' | 'offering'

export interface TimelineKey {
  readonly tenantId: string
  readonly subjectId: string
}

/** Source of rows on timelines. Each room declares its own; workbench/timeline/timeline-sources.ts lists all. */
export interface TimelineSource {
  readonly source: string
  readonly from: Sql
  /** Condition for the rows of a subject, beginning with the tenant; absent if such timelines do not show them. */
  readonly of: Readonly<Partial<Record<TimelineSubject, (key: TimelineKey) => Sql>>>
  /** A uuid that is unique within the source. */
  readonly id: Sql
  readonly at: Sql
  /** The kind of event. */
  readonly type: Sql
  /** The user or credential that did it. */
  readonly actorId?: Sql
  /** Resources to open, as a JSON object from their type names with `_id` to their ids. */
  readonly links: Sql
  /** Further facts, as a JSON object, without personal data. */
  readonly detail?: Sql
  /** The sealed text of a note. */
  readonly text?: Sql
}
