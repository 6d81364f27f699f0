import { type Event, Webhooks } from '@investor-token/sdk'
import { interrupted, pause } from '../base/interruption.ts'

export interface Delivery {
  /** Status of the response; undefined if there was none. */
  readonly status: number | undefined
  /** Reason why there was no response, such as `ECONNREFUSED`. */
  readonly reason: string | undefined
  readonly attempts: number
  readonly durationMs: number
}

// A local endpoint is usually just restarting, so a few quick attempts are enough.
const attemptsMax = 4
const firstPauseMs = 500
const timeoutMs = 10_000

/** Posts an event like a webhook of the service, with up to four attempts until the endpoint responds with 2xx. */
export async function deliver(event: Event, url: string, secret: string): Promise<Delivery> {
  const body = messageOf(event)
  const webhooks = new Webhooks(secret)
  for (let attempts = 1; ; attempts += 1) {
    // The signature covers the timestamp, so each attempt is signed again. All attempts use the event's id.
    const signature = await webhooks.sign(body, { id: event.id })
    const startedAt = performance.now()
    const { status, reason } = await post(url, body, signature)
    const durationMs = Math.round(performance.now() - startedAt)
    const isDelivered = status !== undefined && status >= 200 && status < 300
    if (isDelivered || attempts === attemptsMax || interrupted.aborted) return { status, reason, attempts, durationMs }
    await pause(firstPauseMs * 2 ** (attempts - 1))
  }
}

/** Returns true if the endpoint echoes the challenge that the service sends before the first event. */
export async function echoesChallenge(url: string, secret: string): Promise<boolean> {
  const id = crypto.randomUUID()
  const challenge = crypto.randomUUID()
  const timestamp = new Date().toISOString()
  const body = JSON.stringify({ type: 'endpoint.verification', timestamp, data: { challenge }, id })
  const { status, text } = await post(url, body, await new Webhooks(secret).sign(body, { id }))
  try {
    return status === 200 && (JSON.parse(text ?? '') as { challenge?: unknown } | null)?.challenge === challenge
  } catch {
    return false
  }
}

/** Serializes an event into the same bytes as the service's webhook. */
function messageOf({ type, created_at: timestamp, data, ...event }: Event): string {
  return JSON.stringify({ type, timestamp, data, ...event })
}

async function post(
  url: string,
  body: string,
  signature: Record<string, string>,
): Promise<Pick<Delivery, 'status' | 'reason'> & { text?: string }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signature },
      body,
      // Like the service, deliver only to the given URL.
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), interrupted]),
    })
    // Reading the body lets fetch reuse the connection.
    return { status: response.status, reason: undefined, text: await response.text() }
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } }
    return { status: undefined, reason: cause?.code ?? name }
  }
}
