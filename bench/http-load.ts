import { runChild } from './run-child.ts'

/** Requests that one connection sends, in order and repeatedly. */
export type Requests = readonly string[]

export interface LoadPlan {
  readonly port: number
  readonly seconds: number
  /** One entry per connection. */
  readonly requestsOf: readonly Requests[]
  /** Expected status, or several if each of them is acceptable. */
  readonly expectedStatus: number | readonly number[]
  /** Ends after this many requests, if that is sooner. */
  readonly requests?: number
  /** Address from which the connections come; by default the API's own. */
  readonly localAddress?: string
  /**
   * Requests a second of all connections together, at random times as from independent callers. If absent, each
   * connection sends the next request after a response. There must be so many connections that most are free: a request
   * whose connection is still busy is sent late, and its latency counts from when it was due.
   */
  readonly perSecond?: number
}

export interface LoadResult {
  /** Milliseconds of each request that completed. */
  readonly latencies: readonly number[]
  /** Status of each request. */
  readonly statuses: readonly number[]
  readonly seconds: number
  /** CPU seconds of the generator itself, which shares the machine with what it measures. */
  readonly processorSeconds: number
}

/** Placeholder in a request for a value that differs each time, such as an idempotency key. */
export const uniqueValue = '{unique}'

/** Builds a request as bytes once, so that sending it costs the generator little. */
export function httpRequest(
  method: 'GET' | 'POST',
  path: string,
  {
    token,
    body,
    isKeyed = false,
    prefix = '/api',
  }: { token?: string; body?: unknown; isKeyed?: boolean; prefix?: '/api' | '/operator' | '' },
): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  return [
    `${method} ${prefix}${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ...(isKeyed ? [`x-idempotency-key: ${uniqueValue}`] : []),
    ...(text ? ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`] : []),
    '',
    text,
  ].join('\r\n')
}

/** Runs the plan in a separate process. Throws if a response has another status than expected. */
export function runHttpLoad(plan: LoadPlan): Promise<LoadResult> {
  return runChild<LoadResult>('./http-load-process.ts', plan)
}
