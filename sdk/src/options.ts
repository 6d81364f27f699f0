import type { Clock } from './clock.ts'
import type { allScopes } from './generated/operations.ts'
import type { Queries } from './generated/schemas.ts'
import type { AbortSignalLike, FetchLike } from './web-types.ts'

export interface ClientOptions {
  /** The id of your credential. */
  clientId: string
  /** One of its live secrets. The client sends it only to `POST /auth`; errors and log entries never contain it. */
  clientSecret: string
  /** The URL of the service, such as `https://api.example.com`. The client adds `/api` if the URL has no path. */
  baseUrl: string
  /**
   * The scopes to request for access tokens. Default: all scopes, which fails with `scope_not_granted` if the
   * credential has fewer. Request only the scopes you need.
   */
  scopes?: readonly Scope[] | undefined
  /** The secret of your webhook endpoint (`whsec_…`), or several during a rotation. */
  webhookSecret?: string | readonly string[] | undefined
  /** Timeout of one attempt, until the last byte of the response. Default: 30,000. */
  timeoutMs?: number | undefined
  /** Maximum number of retries of a failed request, where a retry is safe. Default: 5. */
  maxRetries?: number | undefined
  /** Receives a log entry for every response, retry, wait and new token. Entries contain no secret, token or body. */
  logger?: Logger | undefined
  /** Allows `http:` to other hosts, where the secret can be intercepted. Default: false. */
  allowHttp?: boolean | undefined
  /** Default: the global `fetch`. */
  fetch?: FetchLike | undefined
  /** For tests. */
  clock?: Clock | undefined
}

export interface RequestOptions {
  /** Aborts waiting, sending and reading at once. A write may still take effect. */
  signal?: AbortSignalLike | undefined
  timeoutMs?: number | undefined
  maxRetries?: number | undefined
}

export interface WriteOptions extends RequestOptions {
  /**
   * 1 to 128 visible ASCII characters, different for each new request. Default: a random UUID. Store the key before you
   * send the request and reuse it after a crash: within 24 hours the write then happens only once.
   */
  idempotencyKey?: string | undefined
}

/** Selects one page of a list. */
export interface PageOptions extends RequestOptions {
  /** 10 to 50. Default: 50. */
  limit?: number | undefined
  /** Number of items to skip. Default: the `offset` of the list. */
  offset?: number | undefined
  /** Default: `asc`, the oldest first, where the offset of an item never changes. */
  direction?: 'asc' | 'desc' | undefined
}

/** Options for iterating over a list. */
export interface ListOptions extends RequestOptions {
  /** The offset of the first item; the oldest has 0. Default: 0. */
  offset?: number | undefined
  /** Page size, 10 to 50. Default: 50, which needs the fewest requests. */
  limit?: number | undefined
}

export type EventType = NonNullable<Queries['listEvents']['type']> | (string & {})

export type Scope = (typeof allScopes)[number] | (string & {})

export type Logger = (entry: LogEntry) => void

/** One log entry. Members that do not apply are absent. */
export interface LogEntry {
  event: 'response' | 'retry' | 'throttled' | 'token'
  /** The `operationId` in the OpenAPI document. */
  operation: string
  method: string
  /** Path without the query string. */
  path: string
  attempt?: number
  status?: number
  requestId?: string
  durationMs?: number
  /** Delay before the next attempt. */
  waitMs?: number
  /** The reason for a retry: an error code or name. */
  reason?: string
}
