/** Accepts at most `limit` requests under this key in any 60 seconds. */
export interface Bucket {
  readonly key: string
  readonly limit: number
  /** A limit that several buckets share. A request is accepted if both have room, and then counts in both. */
  readonly ceiling?: Ceiling
}

/**
 * Accepts at most `limit` requests in 60 seconds from the first one on, then starts again. A counter costs less than a
 * sliding window, and never rejects callers whose own limits add up to at most the ceiling.
 */
export interface Ceiling {
  readonly key: string
  readonly limit: number
}

/** The bucket of an identified caller. The RateLimit headers of responses name it by its policy. */
export interface CallerBucket extends Bucket {
  readonly policy: 'credential' | 'user' | 'sender'
}

/** The result for one request. */
export interface Decision {
  readonly accepted: boolean
  readonly limit: number
  /** Requests that would be accepted now. */
  readonly remaining: number
  /** Time until the oldest accepted request leaves the window, so that one more is accepted. */
  readonly freesInMs: number
  /** Set if the ceiling rejected the request. */
  readonly ceiling?: { readonly limit: number; readonly freesInMs: number }
}

export const windowMs = 60_000
