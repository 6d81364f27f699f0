import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { TimelineKey, TimelineSource } from './timeline-source.ts'

/** Excludes payments and new refunds: they come from other sources, which are kept longer than events. */
const isListed = sql`event.type not in ('payment.received', 'refund.due')`

const events: TimelineSource = {
  source: 'event',
  from: sql`cell.event`,
  of: {
    order: ({ tenantId, subjectId }) => sql`
      event.tenant_id = ${tenantId} and event.about_order = ${subjectId} and ${isListed}`,
    account: ({ tenantId, subjectId }) => sql`
      event.tenant_id = ${tenantId} and event.about_account = ${subjectId} and ${isListed}`,
    offering: ({ tenantId, subjectId }) => sql`
      event.tenant_id = ${tenantId} and event.about_offering = ${subjectId} and ${isListed}`,
  },
  id: sql`event.id`,
  at: sql`event.created_at`,
  type: sql`event.type`,
  links: sql`event.data`,
  detail: sql`event.data`,
}

const isAbout = ({ tenantId }: TimelineKey, subjects: Sql) => sql`
  audit_log.tenant_id = ${tenantId} and audit_log.subject_id = any (array(${subjects}))`

const audit: TimelineSource = {
  source: 'audit',
  from: sql`base.audit_log`,
  of: {
    order: (key) =>
      isAbout(
        key,
        sql`
          select ${key.subjectId}::uuid
          union all
          select refund.id from cell.refund
          where refund.tenant_id = ${key.tenantId} and refund.order_id = ${key.subjectId}`,
      ),
    account: (key) =>
      isAbout(
        key,
        sql`
          select ${key.subjectId}::uuid
          union all
          select wallet.id from cell.wallet
          where wallet.tenant_id = ${key.tenantId} and wallet.account_id = ${key.subjectId}`,
      ),
    offering: (key) => isAbout(key, sql`select ${key.subjectId}::uuid`),
  },
  // An entry of the audit log has a number, but a cursor needs an id.
  id: sql`lpad(to_hex(audit_log.sequence), 32, '0')::uuid`,
  at: sql`audit_log.at`,
  type: sql`audit_log.action`,
  actorId: sql`audit_log.actor_id`,
  links: sql`jsonb_build_object(audit_log.subject_type || '_id', audit_log.subject_id,
                                'approval_id', audit_log.approval_id)`,
  detail: sql`jsonb_build_object('before', audit_log.before, 'after', audit_log.after)`,
}

const ofSubject = ({ tenantId, subjectId }: TimelineKey) => sql`
  note.tenant_id = ${tenantId} and note.subject_id = ${subjectId}`

const notes: TimelineSource = {
  source: 'note',
  from: sql`cell.note`,
  of: { order: ofSubject, account: ofSubject, offering: ofSubject },
  id: sql`note.id`,
  at: sql`note.created_at`,
  type: sql`'note'::text`,
  actorId: sql`note.author_id`,
  links: sql`'{}'::jsonb`,
  text: sql`note.text`,
}

/** Events of the last 30 days, entries of the audit log, and notes. */
export const recordsTimeline: readonly TimelineSource[] = [events, audit, notes]
