import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { ResolveHost } from './resolve-host.ts'
import { hostOf, type TargetRules } from './target-rules.ts'

export const postOutcomes = [
  'DELIVERED',
  'REDIRECT',
  'HTTP_ERROR',
  'TIMEOUT',
  'NAME_NOT_FOUND',
  'CONNECTION_FAILED',
  'TLS_FAILED',
  'FORBIDDEN_TARGET',
  'UNEXPECTED_RESPONSE',
] as const

/** The result of one request. The response body is not kept: it can contain anything, including personal data. */
export interface PostResult {
  readonly outcome: (typeof postOutcomes)[number]
  readonly statusCode: number | null
  readonly retryAfter: string | null
  readonly durationMs: number
}

interface OutboundClientSettings {
  readonly rules: TargetRules
  readonly resolveHost: ResolveHost
  /** Limit for the whole exchange: name resolution, connection, headers and body. */
  readonly timeoutMs: number
  /** Certificates to trust instead of Node's defaults. */
  readonly ca?: string
}

/**
 * An HTTP client for URLs that tenants choose, protected against server-side request forgery. It connects only to
 * addresses that the rules allow: the connection itself resolves the name, once, and the addresses are checked before
 * use. It does not follow redirects.
 */
export class OutboundClient {
  readonly #settings: OutboundClientSettings
  // No limit per host: tenants can share a host, and one must not wait for another.
  readonly #agents = {
    'http:': new http.Agent({ keepAlive: true, maxFreeSockets: 4, timeout: idleMs }),
    'https:': new https.Agent({ keepAlive: true, maxFreeSockets: 4, timeout: idleMs }),
  }

  constructor(settings: OutboundClientSettings) {
    this.#settings = settings
  }

  /** Posts a body. With `isExpected`, a 2xx response counts as delivered only if its body is the expected one. */
  async post(
    target: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    isExpected?: (response: string) => boolean,
  ): Promise<PostResult> {
    const startedAt = performance.now()
    const end = (
      outcome: PostResult['outcome'],
      { statusCode = null, retryAfter = null }: Partial<PostResult> = {},
    ): PostResult => ({
      outcome,
      statusCode,
      retryAfter,
      durationMs: Math.round(performance.now() - startedAt),
    })
    // Checked here too, because #lookup is not called for a URL with an IP address.
    if (this.#settings.rules.problemOf(target) !== undefined) return end('FORBIDDEN_TARGET')
    const signal = AbortSignal.timeout(this.#settings.timeoutMs)
    try {
      const { statusCode, retryAfter, text } = await this.#exchange(new URL(target), headers, body, signal)
      const outcome = outcomeOf(statusCode)
      const isUnexpected = outcome === 'DELIVERED' && isExpected !== undefined && !isExpected(text)
      return end(isUnexpected ? 'UNEXPECTED_RESPONSE' : outcome, { statusCode, retryAfter })
    } catch (error) {
      return end(signal.aborted ? 'TIMEOUT' : failureOf(error as NodeJS.ErrnoException))
    }
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }

  /** Retries once if the receiver has closed a kept-alive connection in the meantime, which is not a failure. */
  async #exchange(url: URL, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal) {
    const first = this.#request(url, headers, signal)
    try {
      return await exchange(first, body)
    } catch (error) {
      const isStale = first.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET'
      if (!isStale || signal.aborted) throw error
      return exchange(this.#request(url, { ...headers, connection: 'close' }, signal), body)
    }
  }

  #request(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): http.ClientRequest {
    const { ca } = this.#settings
    const isSecure = url.protocol === 'https:'
    const options = { method: 'POST', headers, signal, lookup: this.#lookup, maxHeaderSize: headerBytesMax }
    return isSecure
      ? https.request(url, { ...options, agent: this.#agents['https:'], ...(ca ? { ca } : {}), ...servernameOf(url) })
      : http.request(url, { ...options, agent: this.#agents['http:'] })
  }

  /** Called by the connection, which then uses exactly the addresses returned here. */
  readonly #lookup: LookupFunction = (name, options, callback) => {
    const { resolveHost, rules } = this.#settings
    resolveHost(name).then(
      (found) => {
        if (found.length === 0) return callback(failure('ENOTFOUND'), '')
        // A single forbidden address rejects the name: mixing public and private addresses indicates an attack.
        if (!found.every((address) => rules.isAllowedAddress(address))) return callback(failure('EFORBIDDEN'), '')
        const addresses = found.map((address) => ({ address, family: isIP(address) }))
        if (options.all) return callback(null, addresses)
        return callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
      },
      () => callback(failure('ENOTFOUND'), ''),
    )
  }
}

// Shorter than the keep-alive timeout of most servers, so that the client closes idle connections first.
const idleMs = 4_000
const headerBytesMax = 16_384
/** More than any acknowledgement needs. */
const bodyBytesMax = 65_536

interface Response {
  statusCode: number
  retryAfter: string | null
  text: string
}

/** Sends the request and reads the response to its end, so that the connection can be reused; aborts huge responses. */
function exchange(request: http.ClientRequest, body: string): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  request.on('error', reject)
  request.on('response', (response) => {
    const head = { statusCode: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] ?? null }
    const parts: Buffer[] = []
    let bytes = 0
    response.on('data', (part: Buffer) => {
      bytes += part.length
      parts.push(part)
      if (bytes <= bodyBytesMax) return
      // The status is known; the rest of the body is not needed.
      resolve({ ...head, text: '' })
      request.destroy()
    })
    response.on('end', () => resolve({ ...head, text: Buffer.concat(parts).toString() }))
    response.on('error', reject)
    response.on('close', () => reject(failure('ECONNRESET')))
  })
  request.end(body)
  return promise
}

function outcomeOf(statusCode: number): PostResult['outcome'] {
  if (statusCode >= 200 && statusCode < 300) return 'DELIVERED'
  return statusCode >= 300 && statusCode < 400 ? 'REDIRECT' : 'HTTP_ERROR'
}

function failureOf({ code = '' }: NodeJS.ErrnoException): PostResult['outcome'] {
  if (code === 'EFORBIDDEN') return 'FORBIDDEN_TARGET'
  if (code === 'ENOTFOUND') return 'NAME_NOT_FOUND'
  return /^ERR_(TLS|SSL)|CERT|UNABLE_TO|SELF_SIGNED|^EPROTO$/.test(code) ? 'TLS_FAILED' : 'CONNECTION_FAILED'
}

function failure(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code })
}

/** Returns the name that certificates are compared with: without a trailing dot. For an IP address, TLS sends none. */
function servernameOf(url: URL): { servername?: string } {
  const host = hostOf(url)
  return isIP(host) ? {} : { servername: host }
}
