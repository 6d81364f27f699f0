import type { Static } from 'typebox'
import type { WebhookEndpoint } from './endpoint.schema.ts'
import type { EndpointRow } from './endpoint.sql.ts'
import { eventsBetween } from './events-between.ts'

export function viewEndpoint(row: EndpointRow, now: Date): Static<typeof WebhookEndpoint> {
  const isOverlap = row.previousSecretEndsAt !== null && row.previousSecretEndsAt > now
  const isBackingOff = row.backoffUntil !== null && row.backoffUntil > now && !row.disabledAt
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    event_types: row.types,
    created_at: row.createdAt.toISOString(),
    verified_at: row.verifiedAt?.toISOString() ?? null,
    disabled_at: row.disabledAt?.toISOString() ?? null,
    disabled_reason: row.disabledReason,
    previous_secret_ends_at: isOverlap ? (row.previousSecretEndsAt?.toISOString() ?? null) : null,
    failing_since: row.failingSince?.toISOString() ?? null,
    failures: row.failures,
    next_attempt_at: isBackingOff ? (row.backoffUntil?.toISOString() ?? null) : null,
    resend: row.resendSince && {
      since: row.resendSince.toISOString(),
      events: eventsBetween(Number(row.resendAfter), Number(row.resendUntil)),
      done: eventsBetween(Number(row.resendAfter), Number(row.resendDone)),
    },
  }
}
