import { allOf, isEqual } from '../../platform/api/declare/keyset.sql.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'

/** Query parameters of the API. */
export interface AuditConditions {
  subject_id?: string | undefined
  actor_id?: string | undefined
  action?: string | undefined
  request_id?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** Contains conditions only for the given filters, so that the planner sees which index fits. */
export function auditMatching(tenantId: string, filter: AuditConditions): Sql {
  const { from, to } = filter
  return allOf([
    sql`audit_log.tenant_id = ${tenantId}`,
    isEqual(sql`audit_log.subject_id`, filter.subject_id),
    isEqual(sql`audit_log.actor_id`, filter.actor_id),
    isEqual(sql`audit_log.action`, filter.action),
    isEqual(sql`audit_log.request_id`, filter.request_id),
    from === undefined ? undefined : sql`${isFrom(sql`>=`, tenantId, from)} and audit_log.at >= ${from}::timestamptz`,
    to === undefined ? undefined : sql`${isFrom(sql`<`, tenantId, to)} and audit_log.at < ${to}::timestamptz`,
  ])
}

/**
 * Compares the sequence number with the number of the first entry at or after a time, so that a range of time is a
 * range of the list. The times of a chain increase with its numbers, unless a clock is set back.
 */
function isFrom(comparison: Sql, tenantId: string, time: string): Sql {
  return sql`
    audit_log.sequence ${comparison} (select coalesce(
      (select first.sequence from base.audit_log first
       where first.tenant_id = ${tenantId} and first.at >= ${time}::timestamptz
       order by first.at, first.sequence limit 1), 9223372036854775807))`
}
