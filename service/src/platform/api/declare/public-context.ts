import type { PublicServices } from './services.ts'

/** An operation without a token has no tenant. */
export interface PublicContext extends PublicServices {
  readonly sourceAddress: string
  readonly userAgent: string
  readonly requestId: string
  /** Scheme and host that this API is reached at. */
  readonly origin: string
  /** The value of a session cookie, not verified yet. */
  readonly sessionCookie: string | undefined
  readonly now: Date
  /** Adds headers to the response, success or error. */
  readonly addHeaders: (headers: Record<string, string | string[]>) => void
}
