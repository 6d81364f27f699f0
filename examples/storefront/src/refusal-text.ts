import {
  AbortError,
  ApiError,
  ConnectionError,
  PayloadMismatchError,
  RateLimitError,
  ServerError,
} from '@investor-token/sdk'

/** What a visitor is told when the service refused, or undefined where there is nothing they could do. */
export function refusalText(error: unknown): string | undefined {
  if (error instanceof ApiError) {
    if (error.is('offering_sold_out')) return 'There is less left than you want. Please choose a smaller amount.'
    if (error.is('offering_not_open')) return 'This offering is closed. Nothing was ordered.'
    if (error.is('account_not_approved')) return 'This offering is for approved investors. We are still checking you.'
    if (error.is('order_not_cancellable')) return 'It is too late to cancel: your tokens are on their way.'
    if (error.is('simulation_not_possible')) return error.message
  }
  if (error instanceof PayloadMismatchError)
    return 'This form was sent before, with other details, and nothing was done now. Please check it and send it again.'
  return isUnsure(error)
    ? 'We could not reach the issuer in time. Please press the button again: nothing happens twice.'
    : undefined
}

/** Whether the thing happened is not known. Sending the same form again is safe, because it carries the same key. */
export function isUnsure(error: unknown): boolean {
  return (
    error instanceof ConnectionError ||
    error instanceof AbortError ||
    error instanceof ServerError ||
    error instanceof RateLimitError
  )
}
