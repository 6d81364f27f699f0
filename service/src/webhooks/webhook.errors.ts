import { declareErrors } from '../platform/api/errors/declare-errors.ts'

export const webhookErrors = declareErrors({
  webhook_endpoint_disabled: {
    status: 409,
    cause: 'The endpoint is disabled and receives no messages.',
    remedy: 'Enable it first: POST …/enable.',
  },
  webhook_resend_in_progress: {
    status: 409,
    cause: 'A resend to this endpoint is in progress.',
    remedy: 'Read the endpoint: `resend` shows the progress. Retry when it is done.',
  },
  webhook_resend_too_large: {
    status: 409,
    cause: 'More events have happened since then than one resend may contain.',
    remedy: 'Choose a later time, or read the events with GET /events.',
  },
})
