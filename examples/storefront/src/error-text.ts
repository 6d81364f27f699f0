import {
  AbortError,
  ApiError,
  ConnectionError,
  PayloadMismatchError,
  RateLimitError,
  ServerError,
} from '@investor-token/sdk'

/** The message for a visitor, or undefined if the visitor can do nothing about the error. */
export function errorText(error: unknown): string | undefined {
  if (error instanceof ApiError) {
    if (error.is('offering_sold_out')) return 'Not enough tokens are left. Please choose a smaller amount.'
    if (error.is('offering_not_open')) return 'This offering is closed. Your order was not placed.'
    if (error.is('account_not_approved'))
      return 'This offering is for approved investors. We are still verifying your identity.'
    if (error.is('order_not_cancellable'))
      return 'The order can no longer be cancelled, because your tokens are being issued.'
    if (error.is('simulation_not_possible')) return error.message
  }
  if (error instanceof PayloadMismatchError)
    return 'You have already sent this form with other details, so nothing was done. Please check it and send it again.'
  return isOutcomeUnknown(error)
    ? 'The issuer did not respond in time. Please press the button again; nothing will be done twice.'
    : undefined
}

/** Returns true if the write may or may not have happened. Submitting the form again is safe: it sends the same key. */
export function isOutcomeUnknown(error: unknown): boolean {
  return (
    error instanceof ConnectionError ||
    error instanceof AbortError ||
    error instanceof ServerError ||
    error instanceof RateLimitError
  )
}
