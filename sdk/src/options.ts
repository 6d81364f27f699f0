import type { Clock } from './clock.ts'
import type { allScopes } from './generated/operations.ts'
import type { Queries } from './generated/schemas.ts'
import type { AbortSignalLike, FetchLike } from './web-types.ts'

export interface ClientOptions {
  /** The id of your credential. */
  clientId: string
  /** One of its live secrets. It is sent to `POST /auth` alone, and is in no error and no log entry. */
  clientSecret: string
  /** The address of the service, such as `https://api.example.com`; `/api` is added where there is no path. */
  baseUrl: string
  /**
   * What the tokens shall be allowed to do. Default: everything there is, which is refused with `scope_not_granted`
   * where the credential holds less. Name what you need and no more.
   */
  scopes?: readonly Scope[] | undefined
  /** The secret of your webhook endpoint (`whsec_…`), or several while it is being exchanged. */
  webhookSecret?: string | readonly string[] | undefined
  /** How long one attempt may take, until the last byte of its answer. Default: 30,000. */
  timeoutMs?: number | undefined
  /** How often a failed request is sent again where that is safe. Default: 5. */
  maxRetries?: number | undefined
  /** Told what the client does. Gets no secret, no token and no body. */
  logger?: Logger | undefined
  /** Allows `http:` to another machine, where a secret can be read on its way. Default: false. */
  allowHttp?: boolean | undefined
  /** Default: the runtime's own. */
  fetch?: FetchLike | undefined
  /** For tests. */
  clock?: Clock | undefined
}

export interface RequestOptions {
  /** Ends waiting, sending and reading at once. The effect of a write may still happen. */
  signal?: AbortSignalLike | undefined
  timeoutMs?: number | undefined
  maxRetries?: number | undefined
}

export interface WriteOptions extends RequestOptions {
  /**
   * 1 to 128 visible characters that name this request, new for each new one. Default: a random UUID. Keep it before
   * you send, and send it again after a crash: then nothing happens twice within 24 hours.
   */
  idempotencyKey?: string | undefined
}

/** Which part of a list. */
export interface PageOptions extends RequestOptions {
  /** 10 to 50. Default: 50. */
  limit?: number | undefined
  /** How many to pass over. Default: where the list begins. */
  offset?: number | undefined
  /** `asc`, the default: the oldest first, and the offset of an element never changes. */
  direction?: 'asc' | 'desc' | undefined
}

/** Where to begin, and what else may be asked for. */
export interface ListOptions extends RequestOptions {
  /** The first element, counted from the oldest, which is 0. Default: 0. */
  offset?: number | undefined
  /** How many to fetch at once, 10 to 50. Default: 50, which needs the fewest requests. */
  limit?: number | undefined
}

export type EventType = NonNullable<Queries['listEvents']['type']> | (string & {})

export type Scope = (typeof allScopes)[number] | (string & {})

export type Logger = (entry: LogEntry) => void

/** One thing that the client did. Members that do not apply are absent. */
export interface LogEntry {
  event: 'answer' | 'retry' | 'throttled' | 'token'
  /** The operation's name in the API's document. */
  operation: string
  method: string
  /** Without the query. */
  path: string
  attempt?: number
  status?: number
  requestId?: string
  durationMs?: number
  /** How long the client waits now. */
  waitMs?: number
  /** Why, for a retry: an error's code or name. */
  reason?: string
}
