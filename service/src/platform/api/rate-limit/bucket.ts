/** At most `limit` accepted requests in any 60 seconds under this key. */
export interface Bucket {
  key: string
  limit: number
}

/** What a limit decided about one request. */
export interface Decision {
  accepted: boolean
  limit: number
  /** Requests that are still free now. */
  remaining: number
  /** Until the oldest accepted request leaves the window and one more is free. */
  freesInMs: number
}

export const windowMs = 60_000
