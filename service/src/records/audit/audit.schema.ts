import { Type } from 'typebox'
import { actorTypes } from '../../platform/api/declare/audit.ts'
import { orNull, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'

const Change = (description: string, example: object) =>
  orNull(Type.Object({}, { additionalProperties: true, description, examples: [example] }))

export const AuditRecord = Type.Object(
  {
    sequence: Type.Integer({ minimum: 1, description: 'Its place in the chain.', examples: [1] }),
    at: Timestamp('When it was written.'),
    actor_type: Type.Enum(actorTypes),
    actor_id: orNull(Uuid('Who did it.', 'The admin.')),
    request_id: orNull(Uuid('In which request.', 'A request.')),
    action: Type.String({ description: 'What was done.', examples: ['offering.opened'] }),
    subject_type: Type.String({ description: 'What it was done to.', examples: ['offering'] }),
    subject_id: Uuid('Which one.', 'The offering.'),
    before: Change('What is different, as it was.', { status: 'DRAFT' }),
    after: Change('What is different, as it became.', { status: 'OPEN' }),
  },
  { additionalProperties: false, title: 'AuditRecord' },
)

/** What a list of audit records can be narrowed down by. */
export const auditFilter = {
  subject_id: Type.Optional(Uuid('Only what was done to this.', 'The offering.')),
  actor_id: Type.Optional(Uuid('Only what this admin or credential did.', 'The admin.')),
}
