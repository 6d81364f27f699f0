import { Type } from 'typebox'
import { actorTypes } from '../../platform/api/declare/audit.ts'
import { Named, orNull, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'

const Change = (description: string, example: object) =>
  orNull(Type.Object({}, { additionalProperties: true, description, examples: [example] }))

export const AuditRecord = Named('AuditRecord', {
  sequence: Type.Integer({ minimum: 1, description: 'The position of the entry in the hash chain.', examples: [1] }),
  at: Timestamp('When the entry was written.'),
  actor_type: Type.Enum(actorTypes),
  actor_id: orNull(Uuid('The user or credential that made the change.', 'The admin.')),
  actor_name: orNull(Type.String({ description: 'Their name.', examples: ['Grace Hopper'] })),
  confirmed_by: orNull(Uuid('The second person, if the change needed one.', 'The second person.'), {
    examples: [null],
  }),
  confirmed_by_name: orNull(Type.String({ description: 'Their name.' }), { examples: [null] }),
  approval_id: orNull(Uuid('What the second person confirmed.', 'The approval.'), { examples: [null] }),
  request_id: orNull(Uuid('The request that made the change.', 'A request.')),
  action: Type.String({ description: 'The action.', examples: ['offering.opened'] }),
  subject_type: Type.String({ description: 'The type of the changed resource.', examples: ['offering'] }),
  subject_id: Uuid('The changed resource.', 'The offering.'),
  before: Change('The changed fields before the change.', { status: 'DRAFT' }),
  after: Change('The changed fields after the change.', { status: 'OPEN' }),
})
