import { Type } from 'typebox'
import { Named, orNull, Text, Timestamp, Uuid } from '../platform/api/declare/fields.ts'
import { EventTypeName } from '../records/events/event.schema.ts'
import { secretOverlapHoursMax } from './endpoint-secret.ts'

export const EndpointPath = Type.Object({ endpointId: Uuid('The webhook endpoint.') })

const Url = Text(1, 2000, {
  description: 'Where messages are posted: https, a public host, port 443 or 8443.',
  examples: ['https://example.com/webhooks'],
})
const Description = Text(0, 500, { description: 'What the endpoint is for.', examples: ['Order desk'] })
const EventTypes = Type.Array(EventTypeName, {
  minItems: 1,
  uniqueItems: true,
  description: 'The event types to deliver; null for all, including types added later.',
  examples: [['order.paid', 'order.minted']],
})

const Resend = Named('WebhookResend', {
  since: Timestamp('Events from this time on are resent.'),
  events: Type.Integer({ minimum: 0, description: 'Number of events since then.', examples: [120] }),
  done: Type.Integer({
    minimum: 0,
    description: 'How many of them have been queued, or skipped because of their type.',
    examples: [120],
  }),
})

const endpointMembers = {
  id: Uuid('The webhook endpoint.'),
  url: Url,
  description: Description,
  event_types: orNull(EventTypes),
  created_at: Timestamp('When it was created. It receives events from then on, once it is verified.'),
  verified_at: orNull(Timestamp('When it last echoed the challenge; null if it receives no events yet.')),
  disabled_at: orNull(Timestamp('Since when it receives no messages.'), { examples: [null] }),
  disabled_reason: orNull(
    Type.Enum(['OPERATOR', 'GONE', 'FAILING', 'UNVERIFIED'] as const, {
      description:
        'OPERATOR: an admin disabled it. GONE: it responded 410. FAILING: no delivery succeeded for five days. ' +
        'UNVERIFIED: it did not echo the challenge within an hour.',
    }),
    { examples: [null] },
  ),
  previous_secret_ends_at: orNull(Timestamp('Until when messages also carry the signature of the previous secret.'), {
    examples: [null],
  }),
  failing_since: orNull(Timestamp('Since when no delivery has succeeded.'), { examples: [null] }),
  failures: Type.Integer({ minimum: 0, description: 'Failed batches of attempts in a row.', examples: [0] }),
  next_attempt_at: orNull(Timestamp('Nothing is sent before this time, because attempts have failed.'), {
    examples: [null],
  }),
  resend: orNull(Resend, { examples: [null] }),
}

export const WebhookEndpoint = Named('WebhookEndpoint', endpointMembers)

export const WebhookEndpointWithSecret = Named('WebhookEndpointWithSecret', {
  ...endpointMembers,
  secret: Type.String({
    description: 'Signs the messages. Shown only once.',
    examples: ['whsec_shown-this-once'],
  }),
})

export const NewWebhookEndpoint = Named('NewWebhookEndpoint', {
  url: Url,
  description: Type.Optional(Type.String({ ...Description, default: '' })),
  event_types: Type.Optional(orNull(EventTypes, { default: null, examples: [['order.paid', 'order.minted']] })),
})

export const WebhookEndpointChange = Named('WebhookEndpointChange', {
  url: Type.Optional(Url),
  description: Type.Optional(Description),
  event_types: Type.Optional(orNull(EventTypes)),
})

export const SecretRotation = Named('WebhookSecretRotation', {
  overlap_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: secretOverlapHoursMax,
      default: secretOverlapHoursMax,
      description: 'How long messages are signed with both secrets; 0 ends the previous one immediately.',
    }),
  ),
})

export const ResendSince = Named('WebhookResendSince', {
  since: Timestamp('Events from this time on; at most 30 days back.'),
})
