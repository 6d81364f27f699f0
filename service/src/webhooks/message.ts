import { Webhook } from 'standardwebhooks'
import type { EventRow } from '../records/events/event.sql.ts'
import { viewEvent } from '../records/events/event.view.ts'

export const pingType = 'webhook.ping'
export const verificationType = 'endpoint.verification'

/** Formats the event as GET /events does, with its members in the order that Standard Webhooks recommends. */
export function bodyOf(event: EventRow): string {
  const { created_at: timestamp, type, data, ...rest } = viewEvent(event)
  return JSON.stringify({ type, timestamp, data, ...rest })
}

/** Formats a ping, which has no event and so no sequence number. */
export function pingBody({ eventId, createdAt, endpointId }: { eventId: string; createdAt: Date; endpointId: string }) {
  const data = { endpoint_id: endpointId }
  return JSON.stringify({ type: pingType, timestamp: createdAt.toISOString(), data, id: eventId })
}

/** Formats the message that asks the receiver to echo the challenge. Like a ping, it has no event. */
export function verificationBody(message: {
  eventId: string
  createdAt: Date
  endpointId: string
  challenge: string
}): string {
  const { eventId, createdAt, endpointId, challenge } = message
  const data = { endpoint_id: endpointId, challenge }
  return JSON.stringify({ type: verificationType, timestamp: createdAt.toISOString(), data, id: eventId })
}

/**
 * Returns true if a response is `{"challenge": "…"}` with this challenge. The message has it one level deeper, so a
 * server that returns every request unchanged does not pass.
 */
export function isChallengeEcho(response: string, challenge: string): boolean {
  try {
    return (JSON.parse(response) as { challenge?: unknown } | null)?.challenge === challenge
  } catch {
    return false
  }
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
