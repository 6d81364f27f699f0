import { InvestorTokenError } from './errors.ts'

/** Why a webhook was not accepted. */
export type WebhookFailure =
  /** The body was read or parsed before: its bytes are gone, and a signature is over bytes. */
  | 'raw_body_missing'
  /** A header of the signature is missing or is not what it must be: perhaps the request is not ours. */
  | 'header_missing'
  /** The message is older than the tolerance, or from the future: an old message sent again, or a clock is wrong. */
  | 'clock'
  /** No signature is of this secret and this body: another endpoint's secret, or a changed body. */
  | 'wrong_secret'
  /** The secret itself is not one. */
  | 'secret_malformed'
  /** The signature is right, and the body is not JSON. */
  | 'body_not_json'

/** Answer such a request with 400 and do nothing else. */
export class WebhookError extends InvestorTokenError {
  override readonly name: string = 'WebhookError'
  readonly reason: WebhookFailure

  constructor(reason: WebhookFailure, message: string) {
    super(message)
    this.reason = reason
  }
}
