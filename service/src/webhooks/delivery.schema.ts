import { Type } from 'typebox'
import { Named, orNull, Timestamp, Uuid } from '../platform/api/declare/fields.ts'
import { postOutcomes } from '../platform/outbound/outbound-client.ts'
import { deliveryStates } from './delivery.sql.ts'

export const DeliveryPath = Type.Object({
  endpointId: Uuid('The webhook endpoint.'),
  eventId: Uuid('The event id, which is also the webhook-id of the message.', 'The event.'),
})

const DeliveryStateName = Type.Enum(deliveryStates, {
  description: 'DROPPED: the endpoint was disabled while the delivery was pending. FAILED: all attempts failed.',
})

const Attempt = Named('WebhookAttempt', {
  number: Type.Integer({ minimum: 1, description: 'The number of the attempt, from 1.', examples: [1] }),
  at: Timestamp('When the message was sent.'),
  outcome: Type.Enum(postOutcomes, { description: 'The result of the attempt.' }),
  status_code: orNull(
    Type.Integer({ description: 'The HTTP status of the response; null without a response.', examples: [200] }),
  ),
  duration_ms: Type.Integer({
    minimum: 0,
    description: 'Duration from name resolution to the end of the response.',
    examples: [84],
  }),
})

const deliveryMembers = {
  event_id: Uuid('The event id, which is also the webhook-id of the message.', 'The event.'),
  event_type: Type.String({
    description: 'The event type; webhook.ping for a ping, endpoint.verification for a verification.',
    examples: ['order.paid'],
  }),
  sequence: orNull(
    Type.Integer({
      minimum: 1,
      description: 'The sequence number of the event; null for a ping or a verification.',
      examples: [7],
    }),
  ),
  state: DeliveryStateName,
  created_at: Timestamp('When the delivery was first queued.'),
  next_attempt_at: orNull(Timestamp('When the next attempt is due; null if there is none.'), { examples: [null] }),
  attempt_count: Type.Integer({ minimum: 0, description: 'Number of attempts so far.', examples: [1] }),
  attempts: Type.Array(Attempt, { maxItems: 20, description: 'The most recent attempts, oldest first.' }),
}

export const WebhookDelivery = Named('WebhookDelivery', deliveryMembers)

export const WebhookDeliveryWithBody = Named('WebhookDeliveryWithBody', {
  ...deliveryMembers,
  request_body: orNull(
    Type.String({
      description: 'The message, as it is sent. Null for a verification, whose challenge only the receiver may know.',
      examples: ['{"type":"order.paid","timestamp":"2026-07-02T10:00:00.000Z","data":{}}'],
    }),
  ),
})
