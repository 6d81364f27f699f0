import { operatorOperation } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { selectLastSequence } from '../../records/events/event.sql.ts'
import { clearBackoff } from '../delivery-job.sql.ts'
import { EndpointPath, ResendSince, WebhookEndpoint } from '../endpoint.schema.ts'
import { viewEndpoint } from '../endpoint.view.ts'
import { eventsBetween } from '../events-between.ts'
import { selectSequenceBefore, startResend } from '../fan-out.sql.ts'
import { readEndpoint, requireEnabledEndpoint } from '../require-endpoint.ts'
import { webhookErrors } from '../webhook.errors.ts'

/** Limit of one resend. A receiver that needs more should read GET /events. */
const eventsMax = 100_000

export const resendWebhookEvents = operatorOperation(
  {
    id: 'resendWebhookEvents',
    summary: 'Resend events since a time',
    description:
      'Resends every event since then that the endpoint subscribes to, delivered before or not, with the same ' +
      `webhook-id. At most ${eventsMax} events. The endpoint shows the progress.`,
    tag: 'Webhooks',
    method: 'POST',
    path: '/webhook-endpoints/:endpointId/resend',
    duty: 'integrations',
    approval: 'never',
    idempotency: 'optional',
    params: EndpointPath,
    body: ResendSince,
    success: { status: 200, body: WebhookEndpoint },
    errors: [
      requestErrors.not_found,
      webhookErrors.webhook_endpoint_disabled,
      webhookErrors.webhook_resend_in_progress,
      webhookErrors.webhook_resend_too_large,
    ],
  },
  async ({ params, body }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, ...params }
    const { resendDone, resendUntil } = await requireEnabledEndpoint(tx, key)
    if (resendDone !== resendUntil)
      throw new ApiError(
        webhookErrors.webhook_resend_in_progress,
        'A resend to this endpoint is in progress. Retry when it is done.',
      )
    const since = new Date(body.since)
    const [until, first] = await tx.batch(
      (tx) => selectLastSequence(tx, tenantId),
      (tx) => selectSequenceBefore(tx, tenantId, since),
    )
    const after = Math.min(first, until)
    const events = eventsBetween(after, until)
    if (events > eventsMax)
      throw new ApiError(
        webhookErrors.webhook_resend_too_large,
        `since must be later: ${events} events are newer, and a resend contains at most ${eventsMax}.`,
      )
    await startResend(tx, key, { since, after, until })
    await clearBackoff(tx, key)
    const subject = { type: 'webhook_endpoint', id: params.endpointId }
    audit({ action: 'webhook_endpoint.resent', subject, after: { since: body.since, events } })
    return viewEndpoint(await readEndpoint(tx, key), now)
  },
)
