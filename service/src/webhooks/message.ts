import { Webhook } from 'standardwebhooks'
import type { EventRow } from '../records/events/event.sql.ts'
import { viewEvent } from '../records/events/event.view.ts'

export const pingType = 'webhook.ping'

/** What is sent: the event as GET /events shows it, in the form that Standard Webhooks recommends. */
export function bodyOf(event: EventRow): string {
  const { created_at: timestamp, type, data, ...rest } = viewEvent(event)
  return JSON.stringify({ type, timestamp, data, ...rest })
}

/** No event stands behind it, so it has no number. */
export function pingBody({ eventId, createdAt, endpointId }: { eventId: string; createdAt: Date; endpointId: string }) {
  const data = { endpoint_id: endpointId }
  return JSON.stringify({ type: pingType, timestamp: createdAt.toISOString(), data, id: eventId })
}

/** Every secret that is alive signs, so that a receiver may change over at any moment of the overlap. */
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
