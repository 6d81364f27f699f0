import type { PublicServices } from './services.ts'

/** Context of an operation without a token, which has no tenant. */
export interface PublicContext extends PublicServices {
  readonly sourceAddress: string
  readonly userAgent: string
  readonly requestId: string
  /** Scheme and host at which callers reach this API. */
  readonly origin: string
  /** The value of a session cookie, not verified yet. */
  readonly sessionCookie: string | undefined
  readonly now: Date
  /** Adds headers to the response, success or error. */
  readonly addHeaders: (headers: Record<string, string | string[]>) => void
}
