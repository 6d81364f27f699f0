import { LoggableError } from '../base/log.ts'

/** The SMTP server rejected the mail or is unavailable. Contains only its code: its message may quote the recipient. */
export class RetryableMailError extends LoggableError {
  override readonly name = 'RetryableMailError'

  constructor(cause: unknown) {
    const { code, responseCode } = (cause ?? {}) as { code?: string; responseCode?: number }
    super(`The mail server did not accept the mail (${[responseCode, code].filter(Boolean).join(' ') || 'no code'}).`)
  }
}
