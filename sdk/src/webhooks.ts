import type { Event } from './generated/schemas.ts'
import type { EventType } from './options.ts'
import { WebhookError } from './webhook-errors.ts'
import { headerOf, rawBodyOf, type WebhookRequest } from './webhook-request.ts'
import { fromBase64, importSecret, signedBytes, toBase64 } from './webhook-signature.ts'

/**
 * An event as it is sent: what `events.list` shows, with `timestamp` for its `created_at`. A `webhook.ping` stands for
 * no event and has neither `sequence` nor `api_version`.
 */
export interface WebhookMessage extends Pick<Event, 'id' | 'data'> {
  type: EventType
  timestamp: string
  sequence?: number
  api_version?: string
}

export interface UnwrapOptions {
  /** Default: the `webhookSecret` of the client. */
  secret?: string | readonly string[] | undefined
  /** How far the message's time may be from ours. Default: 300. */
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
// A message has one for each live secret, of which there are two at most; more is somebody who makes us work.
const signaturesMax = 10

/** Events that the service sends to you, as Standard Webhooks. */
export class Webhooks {
  readonly #secrets: readonly string[]

  constructor(secret?: string | readonly string[]) {
    this.#secrets = secretsOf(secret)
  }

  /**
   * The event in a request, if the service has signed it within the last five minutes; else a `WebhookError` that says
   * why not. Takes a Fetch `Request`, or a request of Express, Fastify or Node whose body was not parsed. A message may
   * come twice: its `webhook-id` and the event's `id` stay the same.
   */
  async unwrap(request: WebhookRequest, options: UnwrapOptions = {}): Promise<WebhookMessage> {
    const secrets = options.secret === undefined ? this.#secrets : secretsOf(options.secret)
    if (secrets.length === 0)
      throw new WebhookError('secret_malformed', 'There is no webhook secret: give webhookSecret to the client.')
    const id = requireHeader(request, 'webhook-id')
    const timestamp = requireHeader(request, 'webhook-timestamp')
    const signatures = requireHeader(request, 'webhook-signature')
    requireRecent(timestamp, options)
    const body = await rawBodyOf(request)
    if (!(await isSigned(signedBytes(id, timestamp, body), signatures, secrets)))
      throw new WebhookError(
        'wrong_secret',
        'No signature fits. Is the secret that of this endpoint, and is the body exactly what arrived?',
      )
    return parseMessage(body)
  }

  /** The headers with which the service would send this body: to test your own endpoint. */
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
    if (signatures.length === 0) throw new WebhookError('secret_malformed', 'There is no webhook secret to sign with.')
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
    throw new WebhookError('header_missing', `The header ${name} is missing: is this a webhook of the service?`)
  return value
}

function requireRecent(timestamp: string, { toleranceSeconds = toleranceDefaultSeconds, now }: UnwrapOptions): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookError('header_missing', 'The header webhook-timestamp is not a number of seconds.')
  const ageSeconds = Math.floor((now ?? new Date()).getTime() / 1000) - Number(timestamp)
  if (Math.abs(ageSeconds) <= toleranceSeconds) return
  const what = ageSeconds > 0 ? `${ageSeconds} s old` : `${-ageSeconds} s ahead of this machine's clock`
  throw new WebhookError('clock', `The message is ${what}; ${toleranceSeconds} s are allowed. Is the clock right?`)
}

/** Compared by the runtime, in a time that does not tell how much of a signature is right. */
async function isSigned(signed: Uint8Array<ArrayBuffer>, header: string, secrets: readonly string[]): Promise<boolean> {
  const keys = await Promise.all(secrets.map(importSecret))
  const given = header
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .slice(0, signaturesMax)
    .flatMap((part) => fromBase64(part.slice('v1,'.length)) ?? [])
  const verdicts = keys.flatMap((key) => given.map((one) => crypto.subtle.verify('HMAC', key, one, signed)))
  return (await Promise.all(verdicts)).includes(true)
}

function parseMessage(body: Uint8Array): WebhookMessage {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as WebhookMessage
  } catch {
    throw new WebhookError('body_not_json', 'The signature is right, but the body is not JSON.')
  }
}
