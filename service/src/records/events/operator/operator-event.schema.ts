import { Type } from 'typebox'
import { Named, Timestamp, Uuid } from '../../../platform/api/declare/fields.ts'
import { type EventType, eventTypes, operatorEventTypes } from '../event-types.ts'

const typeNames = [...operatorEventTypes, ...(Object.keys(eventTypes) as EventType[])] as const

export const AnyEventTypeName = Type.Enum([...typeNames], { description: 'The type of the event.' })

export const OperatorEvent = Named('OperatorEvent', {
  id: Uuid('The event.'),
  sequence: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The sequence number of the event within the tenant. Numbers have no gaps.',
    examples: [4711],
  }),
  type: AnyEventTypeName,
  created_at: Timestamp('When the event happened.'),
  data: Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'Ids, states and amounts. Never contains personal data.',
      examples: [{ unassigned_payment_id: '019f2245-6100-7000-8000-000000000000', currency: 'EUR' }],
    },
  ),
})
