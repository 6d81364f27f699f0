import { OwnError } from '../base/log.ts'

/** The SMTP server did not take the mail. Tells its code, not its words: they repeat the recipient's address. */
export class RetryableMailError extends OwnError {
  override readonly name = 'RetryableMailError'

  constructor(cause: unknown) {
    const { code, responseCode } = (cause ?? {}) as { code?: string; responseCode?: number }
    super(`The mail server did not take the mail (${[responseCode, code].filter(Boolean).join(' ') || 'no code'}).`)
  }
}
