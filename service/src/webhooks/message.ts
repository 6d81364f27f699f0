import { Webhook } from 'standardwebhooks'
import type { EventRow } from '../records/events/event.sql.ts'
import { viewEvent } from '../records/events/event.view.ts'

export const pingType = 'webhook.ping'

/** The event as GET /events shows it, in the order of members that Standard Webhooks recommends. */
export function bodyOf(event: EventRow): string {
  const { created_at: timestamp, type, data, ...rest } = viewEvent(event)
  return JSON.stringify({ type, timestamp, data, ...rest })
}

/** A ping has no event, hence no sequence number. */
export function pingBody({ eventId, createdAt, endpointId }: { eventId: string; createdAt: Date; endpointId: string }) {
  const data = { endpoint_id: endpointId }
  return JSON.stringify({ type: pingType, timestamp: createdAt.toISOString(), data, id: eventId })
}

/** Signs with every valid secret, so that a receiver can switch secrets at any time during the overlap. */
export function signedHeadersOf(
  id: string,
  body: string,
  secrets: readonly string[],
  now: Date,
): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'InvestorTokenService-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  }
}
