import { Type } from 'typebox'
import { Timestamp, Uuid } from '../../platform/api/declare/fields.ts'

export const AuditAction = Type.String({
  pattern: '^[a-z_]{1,60}\\.[a-z_]{1,60}$',
  'x-meaning': 'be a subject and a verb, such as offering.opened',
  description: 'Only entries with this action.',
  examples: ['offering.opened'],
})

/** The filters of the audit log. */
export const auditFilters = {
  subject_id: Type.Optional(Uuid('Only changes to this resource.', 'The offering.')),
  actor_id: Type.Optional(Uuid('Only changes by this user or credential.', 'The admin.')),
  action: Type.Optional(AuditAction),
  request_id: Type.Optional(Uuid('Only changes by this request.', 'A request.')),
  from: Type.Optional(Timestamp('Only entries at or after this time.')),
  to: Type.Optional(Timestamp('Only entries before this time.')),
}
