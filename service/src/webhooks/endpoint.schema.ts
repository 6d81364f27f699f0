import { Type } from 'typebox'
import { orNull, Text, Timestamp, Uuid } from '../platform/api/declare/fields.ts'
import { EventTypeName } from '../records/events/event.schema.ts'
import { oldSecretHours } from './endpoint-secret.ts'

const closed = { additionalProperties: false }

/** Every event is looked at for every endpoint of its tenant, so they are few. */
export const endpointsMax = 50

export const EndpointPath = Type.Object({ endpointId: Uuid('The webhook endpoint.') })

const Url = Text(1, 2000, {
  description: 'Where messages are posted to: https, a host of the public internet, port 443 or 8443.',
  examples: ['https://example.com/webhooks'],
})
const Description = Text(0, 500, { description: 'What it is for.', examples: ['Order desk'] })
const EventTypes = Type.Array(EventTypeName, {
  minItems: 1,
  uniqueItems: true,
  description: 'Only events of these types; null for all, also for those that will be added.',
  examples: [['order.paid', 'order.minted']],
})

const Resend = Type.Object(
  {
    since: Timestamp('Events from this time on are sent again.'),
    events: Type.Integer({ minimum: 0, description: 'How many events have happened since.', examples: [120] }),
    done: Type.Integer({
      minimum: 0,
      description: 'How many of them have been queued, or passed over.',
      examples: [120],
    }),
  },
  { ...closed, title: 'WebhookResend' },
)

const endpointMembers = {
  id: Uuid('The webhook endpoint.'),
  url: Url,
  description: Description,
  event_types: orNull(EventTypes),
  created_at: Timestamp('When it was made. It gets events from then on.'),
  disabled_at: orNull(Timestamp('Since when nothing is sent to it.'), { examples: [null] }),
  disabled_reason: orNull(
    Type.Enum(['OPERATOR', 'GONE', 'FAILING'] as const, {
      description: 'Somebody disabled it, it answered 410, or nothing got through for five days.',
    }),
    { examples: [null] },
  ),
  old_secret_ends_at: orNull(Timestamp('How long the secret before the newest one still signs too.'), {
    examples: [null],
  }),
  failing_since: orNull(Timestamp('Since when nothing has got through.'), { examples: [null] }),
  failures: Type.Integer({ minimum: 0, description: 'How many attempts in a row have failed.', examples: [0] }),
  next_attempt_at: orNull(Timestamp('Nothing is sent before, because attempts have failed.'), { examples: [null] }),
  resend: orNull(Resend, { examples: [null] }),
}

export const WebhookEndpoint = Type.Object(endpointMembers, { ...closed, title: 'WebhookEndpoint' })

export const WebhookEndpointWithSecret = Type.Object(
  {
    ...endpointMembers,
    secret: Type.String({
      description: 'What messages are signed with. Shown this once.',
      examples: ['whsec_shown-this-once'],
    }),
  },
  { ...closed, title: 'WebhookEndpointWithSecret' },
)

export const NewWebhookEndpoint = Type.Object(
  { url: Url, description: Type.Optional(Description), event_types: Type.Optional(orNull(EventTypes)) },
  { ...closed, title: 'NewWebhookEndpoint' },
)

export const WebhookEndpointChange = Type.Object(
  {
    url: Type.Optional(Url),
    description: Type.Optional(Description),
    event_types: Type.Optional(orNull(EventTypes)),
  },
  { ...closed, title: 'WebhookEndpointChange' },
)

export const SecretRotation = Type.Object(
  {
    overlap_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: oldSecretHours,
        default: oldSecretHours,
        description: 'How long the old secret signs beside the new one; 0 ends it at once.',
      }),
    ),
  },
  { ...closed, title: 'WebhookSecretRotation' },
)

export const ResendSince = Type.Object(
  { since: Timestamp('Events from this time on, of the last 30 days.') },
  { ...closed, title: 'WebhookResendSince' },
)
