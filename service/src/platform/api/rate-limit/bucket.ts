/** Accepts at most `limit` requests under this key in any 60 seconds. */
export interface Bucket {
  readonly key: string
  readonly limit: number
}

/** The bucket of an identified caller. Responses name it by its policy in the RateLimit headers. */
export interface CallerBucket extends Bucket {
  readonly policy: 'credential' | 'token' | 'sender'
}

/** The result for one request. */
export interface Decision {
  readonly accepted: boolean
  readonly limit: number
  /** Requests that would be accepted now. */
  readonly remaining: number
  /** Time until the oldest accepted request leaves the window, so that one more is accepted. */
  readonly freesInMs: number
}

export const windowMs = 60_000
