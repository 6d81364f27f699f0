import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Names } from './names.ts'
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
] as const

/** What became of one request. Of the answer only this is kept: a body may hold anything, also of persons. */
export interface Posted {
  readonly outcome: (typeof postOutcomes)[number]
  readonly statusCode: number | null
  readonly retryAfter: string | null
  readonly durationMs: number
}

interface PosterSettings {
  readonly rules: TargetRules
  readonly names: Names
  /** For the whole exchange: name, connection, headers and body. */
  readonly timeoutMs: number
  /** Certificates to trust instead of those that Node brings. */
  readonly ca?: string
}

/**
 * Posts to an address that somebody else has chosen. It connects only to an address that the rules have seen: a name
 * is looked up once, by the connection itself, and what it answers is checked before it is used. Redirects are not
 * followed.
 */
export class Poster {
  readonly #settings: PosterSettings
  // Without a limit for a host: two tenants may have the same, and one of them must not wait for the other.
  readonly #agents = {
    'http:': new http.Agent({ keepAlive: true, maxFreeSockets: 4, timeout: idleMs }),
    'https:': new https.Agent({ keepAlive: true, maxFreeSockets: 4, timeout: idleMs }),
  }

  constructor(settings: PosterSettings) {
    this.#settings = settings
  }

  async post(target: string, headers: Readonly<Record<string, string>>, body: string): Promise<Posted> {
    const startedAt = performance.now()
    const end = (
      outcome: Posted['outcome'],
      { statusCode = null, retryAfter = null }: Partial<Posted> = {},
    ): Posted => ({
      outcome,
      statusCode,
      retryAfter,
      durationMs: Math.round(performance.now() - startedAt),
    })
    // Not left to the connection: a literal address is never looked up.
    if (this.#settings.rules.problemOf(target) !== undefined) return end('FORBIDDEN_TARGET')
    const signal = AbortSignal.timeout(this.#settings.timeoutMs)
    try {
      const { statusCode, retryAfter } = await this.#exchange(new URL(target), headers, body, signal)
      return end(outcomeOf(statusCode), { statusCode, retryAfter })
    } catch (error) {
      return end(signal.aborted ? 'TIMEOUT' : failureOf(error as NodeJS.ErrnoException))
    }
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }

  /** A connection that was kept may have been closed by the other side in the same moment: that is no failure. */
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

  /** Called by the connection; what it is given is what it connects to. */
  readonly #lookup: LookupFunction = (name, options, callback) => {
    const { names, rules } = this.#settings
    names(name).then(
      (found) => {
        if (found.length === 0) return callback(failure('ENOTFOUND'), '')
        // One address that is not allowed spoils all: whoever mixes them is up to something.
        if (!found.every((address) => rules.isAllowedAddress(address))) return callback(failure('EFORBIDDEN'), '')
        const addresses = found.map((address) => ({ address, family: isIP(address) }))
        if (options.all) return callback(null, addresses)
        return callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
      },
      () => callback(failure('ENOTFOUND'), ''),
    )
  }
}

// Shorter than what servers usually keep an idle connection for, so that it is we who close it.
const idleMs = 4_000
const headerBytesMax = 16_384
/** Nobody needs more to say yes, and what is read is thrown away. */
const bodyBytesMax = 65_536

interface Answered {
  statusCode: number
  retryAfter: string | null
}

/** Sends, and reads the answer to its end, so that the connection can be used again; a giant one is cut off. */
function exchange(request: http.ClientRequest, body: string): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>()
  request.on('error', reject)
  request.on('response', (response) => {
    const answered = { statusCode: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] ?? null }
    let bytes = 0
    response.on('data', (part: Buffer) => {
      bytes += part.length
      if (bytes <= bodyBytesMax) return
      // The status has been said; the rest is not read.
      resolve(answered)
      request.destroy()
    })
    response.on('end', () => resolve(answered))
    response.on('error', reject)
    response.on('close', () => reject(failure('ECONNRESET')))
  })
  request.end(body)
  return promise
}

function outcomeOf(statusCode: number): Posted['outcome'] {
  if (statusCode >= 200 && statusCode < 300) return 'DELIVERED'
  return statusCode >= 300 && statusCode < 400 ? 'REDIRECT' : 'HTTP_ERROR'
}

function failureOf({ code = '' }: NodeJS.ErrnoException): Posted['outcome'] {
  if (code === 'EFORBIDDEN') return 'FORBIDDEN_TARGET'
  if (code === 'ENOTFOUND') return 'NAME_NOT_FOUND'
  return /^ERR_(TLS|SSL)|CERT|UNABLE_TO|SELF_SIGNED|^EPROTO$/.test(code) ? 'TLS_FAILED' : 'CONNECTION_FAILED'
}

function failure(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code })
}

/** A certificate is compared with the name without the dot at its end; an address has no name to send. */
function servernameOf(url: URL): { servername?: string } {
  const host = hostOf(url)
  return isIP(host) ? {} : { servername: host }
}
