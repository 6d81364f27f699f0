import type { Static } from 'typebox'
import type { WebhookEndpoint } from './endpoint.schema.ts'
import type { EndpointRow } from './endpoint.sql.ts'

export function viewEndpoint(row: EndpointRow, now: Date): Static<typeof WebhookEndpoint> {
  const isOldAlive = row.oldSecretEndsAt !== null && row.oldSecretEndsAt > now
  const isBlocked = row.blockedUntil !== null && row.blockedUntil > now && !row.disabledAt
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    event_types: row.types,
    created_at: row.createdAt.toISOString(),
    disabled_at: row.disabledAt?.toISOString() ?? null,
    disabled_reason: row.disabledReason,
    old_secret_ends_at: isOldAlive ? (row.oldSecretEndsAt?.toISOString() ?? null) : null,
    failing_since: row.failingSince?.toISOString() ?? null,
    failures: row.failures,
    next_attempt_at: isBlocked ? (row.blockedUntil?.toISOString() ?? null) : null,
    resend: row.resendSince && {
      since: row.resendSince.toISOString(),
      events: Number(row.resendUntil) - Number(row.resendAfter),
      done: Number(row.resendDone) - Number(row.resendAfter),
    },
  }
}
