import { Type } from 'typebox'
import { Named, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { type EventType, eventTypes } from './event-types.ts'

const typeNames = Object.keys(eventTypes) as [EventType, ...EventType[]]

export const EventTypeName = Type.Enum(typeNames, { description: 'The type of the event.' })

const Sequence = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [1] })

export const Event = Named('Event', {
  id: Uuid('The event.'),
  sequence: Sequence('The sequence number of the event within your tenant.'),
  type: EventTypeName,
  created_at: Timestamp('When the event happened.'),
  api_version: Type.String({
    description: 'The API version that defines the format of `data`.',
    examples: ['2026-07-02'],
  }),
  data: Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'Ids, states and amounts. Never contains personal data.',
      examples: [{ account_id: '019f2245-6100-7000-8000-000000000000', type: 'INDIVIDUAL' }],
    },
  ),
})

const EventsRestored = Named('EventsRestored', {
  restored_to: Timestamp('Everything until this moment is there.'),
  kept_sequence: Sequence(
    'Events with a larger number than this one, and a smaller one than `sequence`, no longer exist. Their numbers ' +
      'are not used again.',
  ),
  sequence: Sequence('The number of the event `events.restored`, the first one after the restore.'),
})

export const EventPage = Named('EventPage', {
  events: Type.Array(Event, { maxItems: 50 }),
  last_sequence: Sequence(
    'The sequence number of the latest event of your tenant, whether or not you can read that event.',
  ),
  next: Type.Union([Type.String(), Type.Null()], {
    description:
      'The URL of the next page, or null if there are no more events yet. To continue later, request the events ' +
      'after the last `sequence` that you have received.',
    examples: [null],
  }),
  restored: Type.Union([EventsRestored, Type.Null()], {
    description:
      'Set if our database was restored to an earlier moment since the event that you pass as `after`. What ' +
      'happened after that moment is lost, also events that you have received: read accounts, orders and wallets ' +
      'again, then continue. Null otherwise, and without `after`.',
    examples: [null],
  }),
})
