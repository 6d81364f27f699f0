import { Type } from 'typebox'
import { Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { type EventType, eventTypes } from './event-types.ts'

const closed = { additionalProperties: false }

const typeNames = Object.keys(eventTypes) as [EventType, ...EventType[]]

export const EventTypeName = Type.Enum(typeNames, { description: 'What happened.' })

const Sequence = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [1] })

export const Event = Type.Object(
  {
    id: Uuid('The event.'),
    sequence: Sequence('Its number among the events of your tenant.'),
    type: EventTypeName,
    created_at: Timestamp('When it happened.'),
    api_version: Type.String({
      description: 'The version of the contract that the data is written in.',
      examples: ['2026-07-02'],
    }),
    data: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'Ids, states and amounts; never anything of a person.',
        examples: [{ account_id: '019f2245-6100-7000-8000-000000000000', type: 'INDIVIDUAL' }],
      },
    ),
  },
  { ...closed, title: 'Event' },
)

export const EventPage = Type.Object(
  {
    events: Type.Array(Event, { maxItems: 50 }),
    last_sequence: Sequence('The number of the last event of your tenant, whether or not you may read it.'),
    next: Type.Union([Type.String(), Type.Null()], {
      description: 'Where to go on, or null where there is no more yet: then ask again after the last sequence.',
      examples: [null],
    }),
  },
  { ...closed, title: 'EventPage' },
)
