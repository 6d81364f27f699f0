import type { Actor } from '../../../platform/api/declare/audit.ts'
import { countedPage } from '../../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../../platform/api/declare/keyset-list.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { Transaction } from '../../../platform/postgres/transaction.ts'
import type { OfferingKey } from '../offering.sql.ts'

export const termsActions = [
  'offering.drafted',
  'offering.changed',
  'offering.opened',
  'offering.paused',
  'offering.resumed',
  'offering.terms_changed',
  'offering.closed',
] as const

interface TermsChangeRow {
  /** Id of the offering, equal in all rows: only the sequence number sorts a page. */
  id: string
  at: Date
  action: (typeof termsActions)[number]
  actorType: Actor['type']
  actorId: string | null
  confirmedBy: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

/** Reads the changes from the audit log, which has all of them since the draft and cannot be rewritten. */
export function pageOfTermsChanges(tx: Transaction, { tenantId, offeringId }: OfferingKey, page: KeysetPage) {
  return countedPage<TermsChangeRow>(tx, page, {
    columns: sql`
      audit_log.subject_id as id, audit_log.at, audit_log.action, audit_log.actor_type as "actorType",
      audit_log.actor_id as "actorId", audit_log.confirmed_by as "confirmedBy", audit_log.before, audit_log.after`,
    from: sql`base.audit_log`,
    where: sql`
      audit_log.tenant_id = ${tenantId} and audit_log.subject_id = ${offeringId}
      and audit_log.subject_type = 'offering' and audit_log.action = any (${[...termsActions]})`,
    id: sql`audit_log.subject_id`,
    keys: { sequence: { column: sql`audit_log.sequence`, type: 'bigint' } },
  })
}
