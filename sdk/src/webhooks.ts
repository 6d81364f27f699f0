import type { Event } from './generated/schemas.ts'
import type { EventType } from './options.ts'
import { WebhookError } from './webhook-errors.ts'
import { headerOf, rawBodyOf, type WebhookRequest } from './webhook-request.ts'
import { fromBase64, importSecret, signedBytes, toBase64 } from './webhook-signature.ts'

/**
 * The payload of a webhook: an event as in `events.list`, with `timestamp` instead of `created_at`. A `webhook.ping` and
 * an `endpoint.verification` are not events and have neither `sequence` nor `api_version`.
 */
export interface WebhookMessage extends Pick<Event, 'id' | 'data'> {
  type: EventType
  timestamp: string
  sequence?: number
  api_version?: string
}

/** Response to a webhook: `new Response(body, { status, headers })`. */
export interface WebhookResponse {
  status: number
  headers: Record<string, string>
  body: string
}

export interface UnwrapOptions {
  /** Default: the `webhookSecret` of the client. */
  secret?: string | readonly string[] | undefined
  /** Maximum difference between the message's timestamp and this machine's clock. Default: 300. */
  toleranceSeconds?: number | undefined
  /** For tests. Default: now. */
  now?: Date | undefined
}

export interface WebhookHeaders extends Record<string, string> {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

const toleranceDefaultSeconds = 300
// A message has one signature per live secret, and an endpoint has at most two. Checking more would only let an
// attacker waste the receiver's CPU.
const signaturesMax = 10

/** Verifies and signs webhooks as specified by Standard Webhooks. */
export class Webhooks {
  readonly #secrets: readonly string[]

  constructor(secret?: string | readonly string[]) {
    this.#secrets = secretsOf(secret)
  }

  /**
   * Returns the event in a request if the service signed it within the last five minutes, otherwise throws a
   * `WebhookError` with the reason. Takes a Fetch `Request`, or an Express, Fastify or Node request whose body was not
   * parsed. A message may be delivered more than once, with the same `webhook-id` and the same event `id`.
   */
  async unwrap(request: WebhookRequest, options: UnwrapOptions = {}): Promise<WebhookMessage> {
    const secrets = options.secret === undefined ? this.#secrets : secretsOf(options.secret)
    if (secrets.length === 0)
      throw new WebhookError('secret_malformed', 'No webhook secret: set webhookSecret in the options of the client.')
    const id = requireHeader(request, 'webhook-id')
    const timestamp = requireHeader(request, 'webhook-timestamp')
    const signatures = requireHeader(request, 'webhook-signature')
    requireRecent(timestamp, options)
    const body = await rawBodyOf(request)
    if (!(await isSigned(signedBytes(id, timestamp, body), signatures, secrets)))
      throw new WebhookError(
        'wrong_secret',
        'No signature matches. Check that the secret belongs to this endpoint and that the body was not changed.',
      )
    return parseMessage(body)
  }

  /**
   * Passes the message in a request to `onMessage` and returns the response to send: 200, or 401 if `unwrap` rejects
   * the request. Responds to an `endpoint.verification` by itself: the service delivers events to an endpoint only once
   * it has echoed the challenge. An error of `onMessage` is thrown, so that the service retries.
   */
  async receive(
    request: WebhookRequest,
    onMessage: (message: WebhookMessage) => unknown,
    options: UnwrapOptions = {},
  ): Promise<WebhookResponse> {
    let message: WebhookMessage
    try {
      message = await this.unwrap(request, options)
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error
      return { status: 401, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: error.message }
    }
    if (message.type === 'endpoint.verification') {
      const body = JSON.stringify({ challenge: message.data['challenge'] })
      return { status: 200, headers: { 'content-type': 'application/json' }, body }
    }
    await onMessage(message)
    return { status: 200, headers: {}, body: '' }
  }

  /** Returns the headers that the service would send with this body. Use it to test your endpoint. */
  async sign(
    body: string | Uint8Array,
    { id = `msg_${crypto.randomUUID()}`, at = new Date(), secret }: SignOptions = {},
  ): Promise<WebhookHeaders> {
    const timestamp = String(Math.floor(at.getTime() / 1000))
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    const signatures = (secret === undefined ? this.#secrets : secretsOf(secret)).map(async (one) => {
      const signature = await crypto.subtle.sign('HMAC', await importSecret(one), signedBytes(id, timestamp, bytes))
      return `v1,${toBase64(signature)}`
    })
    if (signatures.length === 0)
      throw new WebhookError('secret_malformed', 'No webhook secret to sign with: pass secret or set webhookSecret.')
    return {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': (await Promise.all(signatures)).join(' '),
    }
  }
}

export interface SignOptions {
  id?: string | undefined
  at?: Date | undefined
  /** Default: the `webhookSecret` of the client. */
  secret?: string | readonly string[] | undefined
}

function secretsOf(secret: string | readonly string[] | undefined): readonly string[] {
  if (secret === undefined) return []
  return typeof secret === 'string' ? [secret] : secret
}

function requireHeader(request: WebhookRequest, name: string): string {
  const value = headerOf(request, name)
  if (value === undefined || value === '')
    throw new WebhookError('header_missing', `The header ${name} is missing. The request may not be from the service.`)
  return value
}

function requireRecent(timestamp: string, { toleranceSeconds = toleranceDefaultSeconds, now }: UnwrapOptions): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookError('header_missing', 'The header webhook-timestamp must be a Unix time in seconds.')
  const ageSeconds = Math.floor((now ?? new Date()).getTime() / 1000) - Number(timestamp)
  if (Math.abs(ageSeconds) <= toleranceSeconds) return
  const age = ageSeconds > 0 ? `${ageSeconds} s old` : `${-ageSeconds} s ahead of this machine's clock`
  throw new WebhookError('clock', `The message is ${age}; at most ${toleranceSeconds} s are allowed. Check the clock.`)
}

/** Uses Web Crypto's verify, which compares in constant time. */
async function isSigned(signed: Uint8Array<ArrayBuffer>, header: string, secrets: readonly string[]): Promise<boolean> {
  const keys = await Promise.all(secrets.map(importSecret))
  const given = header
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .slice(0, signaturesMax)
    .flatMap((part) => fromBase64(part.slice('v1,'.length)) ?? [])
  const results = keys.flatMap((key) => given.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed)))
  return (await Promise.all(results)).includes(true)
}

function parseMessage(body: Uint8Array): WebhookMessage {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as WebhookMessage
  } catch {
    throw new WebhookError('body_not_json', 'The signature is valid, but the body is not JSON.')
  }
}
