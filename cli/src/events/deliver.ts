import { type Event, Webhooks } from '@investor-token/sdk'
import { interrupted, pause } from '../base/interruption.ts'

export interface Delivery {
  /** What the endpoint answered; undefined when it did not. */
  readonly status: number | undefined
  /** Why there was no answer, such as `ECONNREFUSED`. */
  readonly reason: string | undefined
  readonly attempts: number
  readonly durationMs: number
}

// An endpoint on a laptop is being restarted rather than away for hours.
const attemptsMax = 4
const firstPauseMs = 500
const timeoutMs = 10_000

/** Posts an event as the service sends webhooks; a few times, until the endpoint answers with 2xx. */
export async function deliver(event: Event, url: string, secret: string): Promise<Delivery> {
  const body = messageOf(event)
  const webhooks = new Webhooks(secret)
  for (let attempts = 1; ; attempts += 1) {
    // The signature covers the time, so that each attempt has its own; the id stays that of the event.
    const signature = await webhooks.sign(body, { id: event.id })
    const startedAt = performance.now()
    const { status, reason } = await post(url, body, signature)
    const durationMs = Math.round(performance.now() - startedAt)
    const isDelivered = status !== undefined && status >= 200 && status < 300
    if (isDelivered || attempts === attemptsMax || interrupted.aborted) return { status, reason, attempts, durationMs }
    await pause(firstPauseMs * 2 ** (attempts - 1))
  }
}

/** Byte for byte what the service sends. */
function messageOf({ type, created_at: timestamp, data, ...event }: Event): string {
  return JSON.stringify({ type, timestamp, data, ...event })
}

async function post(
  url: string,
  body: string,
  signature: Record<string, string>,
): Promise<Pick<Delivery, 'status' | 'reason'>> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signature },
      body,
      // A webhook is for the address that was given.
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), interrupted]),
    })
    // Read to the end, so that the connection can be used again.
    await answer.arrayBuffer()
    return { status: answer.status, reason: undefined }
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } }
    return { status: undefined, reason: cause?.code ?? name }
  }
}
