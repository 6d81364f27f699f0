import { InvestorTokenError } from './errors.ts'

/** Reason why a webhook was rejected. */
export type WebhookFailure =
  /** The body was already read or parsed. The signature covers the raw bytes, which are no longer available. */
  | 'raw_body_missing'
  /** A signature header is missing or malformed; the request may not come from the service. */
  | 'header_missing'
  /** The timestamp is outside the tolerance: the message is a replay, or one of the clocks is wrong. */
  | 'clock'
  /** No signature matches this secret and body: the secret is another endpoint's, or the body was changed. */
  | 'wrong_secret'
  /** The secret itself is malformed. */
  | 'secret_malformed'
  /** The signature is valid, but the body is not JSON. */
  | 'body_not_json'

/** Thrown if a webhook cannot be trusted or read. Do not process it; respond with 401, as `receive` does. */
export class WebhookError extends InvestorTokenError {
  override readonly name: string = 'WebhookError'
  readonly reason: WebhookFailure

  constructor(reason: WebhookFailure, message: string) {
    super(message)
    this.reason = reason
  }
}
