import { Type } from 'typebox'
import { orNull, Timestamp, Uuid } from '../platform/api/declare/fields.ts'
import { postOutcomes } from '../platform/outbound/poster.ts'
import { deliveryStates } from './delivery.sql.ts'

const closed = { additionalProperties: false }

export const DeliveryPath = Type.Object({
  endpointId: Uuid('The webhook endpoint.'),
  eventId: Uuid('The event, which is the webhook-id of the message.', 'The event.'),
})

export const DeliveryStateName = Type.Enum(deliveryStates, {
  description: 'DROPPED: it was waiting when its endpoint was disabled. FAILED: all attempts did.',
})

const Attempt = Type.Object(
  {
    number: Type.Integer({ minimum: 1, description: 'Which attempt at this message it was.', examples: [1] }),
    at: Timestamp('When it was sent.'),
    outcome: Type.Enum(postOutcomes, { description: 'What came of it.' }),
    status_code: orNull(Type.Integer({ description: 'What the receiver answered.', examples: [200] })),
    duration_ms: Type.Integer({ minimum: 0, description: 'How long it took in all.', examples: [84] }),
  },
  { ...closed, title: 'WebhookAttempt' },
)

export const WebhookDelivery = Type.Object(
  {
    event_id: Uuid('The event, which is the webhook-id of the message.', 'The event.'),
    event_type: Type.String({ description: 'What happened; webhook.ping for a ping.', examples: ['order.paid'] }),
    sequence: orNull(Type.Integer({ minimum: 1, description: 'The number of the event.', examples: [7] })),
    state: DeliveryStateName,
    created_at: Timestamp('When the message was queued first.'),
    next_attempt_at: orNull(Timestamp('When it is sent next, or null when it is not.'), { examples: [null] }),
    attempt_count: Type.Integer({ minimum: 0, description: 'How many attempts there were.', examples: [1] }),
    attempts: Type.Array(Attempt, { maxItems: 20, description: 'The last of them, oldest first.' }),
  },
  { ...closed, title: 'WebhookDelivery' },
)
