import { declareErrors } from '../platform/api/errors/declare-errors.ts'

export const webhookErrors = declareErrors({
  webhook_endpoint_disabled: {
    status: 409,
    type: 'conflict_error',
    cause: 'The endpoint is disabled, so nothing is sent to it.',
    remedy: 'Enable it first, by POST …/enable.',
  },
  webhook_endpoint_limit: {
    status: 409,
    type: 'conflict_error',
    cause: 'The tenant has as many webhook endpoints as it may have.',
    remedy: 'Change one that is no longer needed, by PATCH /webhook-endpoints/{endpointId}.',
  },
  webhook_resend_in_progress: {
    status: 409,
    type: 'conflict_error',
    cause: 'Events are being sent again to this endpoint already.',
    remedy: 'Read the endpoint: `resend` shows how far that is. Ask again when it is done.',
  },
  webhook_resend_too_large: {
    status: 409,
    type: 'conflict_error',
    cause: 'More events have happened since then than are sent again at once.',
    remedy: 'Say a later time, or read them by GET /events.',
  },
})
