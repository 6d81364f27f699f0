import { Type } from 'typebox'
import { Closed, Named, orNull, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { timelineSources } from './timeline-sources.ts'

export const TimelineEntry = Named('TimelineEntry', {
  source: Type.Enum(
    timelineSources.map(({ source }) => source),
    { description: 'Where the entry comes from.', examples: ['event'] },
  ),
  id: Uuid('The entry, unique within its source.', 'The event.'),
  type: Type.String({ description: 'What happened.', examples: ['order.paid'] }),
  at: Timestamp('When it happened.'),
  actor_id: orNull(Uuid('The user or credential that did it, if one did.', 'The admin.')),
  actor_name: orNull(Type.String({ description: 'Their name.', examples: ['Grace Hopper'] })),
  links: Type.Array(
    Closed({
      type: Type.String({ description: 'The type of the resource.', examples: ['order'] }),
      id: Uuid('Its id.', 'The order.'),
    }),
    { description: 'The resources that it is about.' },
  ),
  detail: orNull(
    Type.Object({}, { additionalProperties: true, description: 'Further facts.', examples: [{ status: 'PAID' }] }),
  ),
  text: orNull(Type.String({ description: 'The text of a note.', examples: ['Called: pays on Friday.'] })),
})
