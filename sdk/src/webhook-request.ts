import { WebhookError } from './webhook-errors.ts'

/** A Fetch `Request`. */
export interface FetchWebhookRequest {
  readonly headers: { get(name: string): string | null }
  readonly bodyUsed?: boolean
  text(): Promise<string>
}

/** An Express, Fastify or Node request, or any object with headers and the raw body as a string or bytes. */
export interface ServerWebhookRequest {
  readonly headers: object
  readonly body?: unknown
  /** Raw bytes, if a plugin stores them beside the parsed body. */
  readonly rawBody?: unknown
}

export type WebhookRequest = FetchWebhookRequest | ServerWebhookRequest

// The service's messages contain only ids and states, so none is larger.
const bodyBytesMax = 1_048_576

export function headerOf({ headers }: WebhookRequest, name: string): string | undefined {
  if ('get' in headers && typeof headers.get === 'function')
    return ((headers as FetchWebhookRequest['headers']).get(name) ?? undefined) as string | undefined
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  const one: unknown = Array.isArray(value) ? value.join(' ') : value
  return typeof one === 'string' ? one : undefined
}

/** Returns the raw bytes, or throws an error that explains how to keep them. */
export async function rawBodyOf(request: WebhookRequest): Promise<Uint8Array> {
  if ('rawBody' in request && isRaw(request.rawBody)) return bytesOf(request.rawBody)
  if ('text' in request && typeof request.text === 'function') {
    if (request.bodyUsed) throw missing('The body of the Request was already read. Call unwrap first, or pass a clone.')
    return bytesOf(await request.text())
  }
  const { body } = request as ServerWebhookRequest
  if (isRaw(body)) return bytesOf(body)
  if (body === undefined && Symbol.asyncIterator in request)
    return readAll(request as unknown as AsyncIterable<unknown>)
  throw missing(
    'The body was already parsed, so its raw bytes are not available. Express: use ' +
      'express.raw({ type: "application/json" }) on this route, before express.json(). Fastify: add a content type ' +
      'parser with parseAs "buffer" that returns the body unchanged.',
  )
}

async function readAll(stream: AsyncIterable<unknown>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    if (!isRaw(chunk)) throw missing('The request stream must contain bytes or strings.')
    const part = bytesOf(chunk)
    size += part.length
    if (size > bodyBytesMax) throw missing(`The body is larger than ${bodyBytesMax} bytes.`)
    parts.push(part)
  }
  if (size === 0) throw missing('The body of the request was already read, or is empty. Call unwrap first.')
  const whole = new Uint8Array(size)
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}

function isRaw(body: unknown): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array
}

function bytesOf(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? new TextEncoder().encode(body) : body
}

function missing(message: string): WebhookError {
  return new WebhookError('raw_body_missing', message)
}
