import { operatorOperation } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { lastSequence } from '../../records/events/event.sql.ts'
import { unblock } from '../delivery-lease.sql.ts'
import { EndpointPath, ResendSince, WebhookEndpoint } from '../endpoint.schema.ts'
import { viewEndpoint } from '../endpoint.view.ts'
import { sequenceBefore, startResend } from '../fan-out.sql.ts'
import { readEndpoint, requireEnabledEndpoint } from '../require-endpoint.ts'
import { webhookErrors } from '../webhook.errors.ts'

/** A receiver that asks for more than this wants to read GET /events. */
const eventsMax = 100_000

export const resendWebhookEvents = operatorOperation(
  {
    id: 'resendWebhookEvents',
    summary: 'Send events again since a time',
    description:
      'Every event since then that the endpoint wants, whether or not it arrived before, each with its webhook-id. ' +
      `At most ${eventsMax} events. The endpoint shows how far that is.`,
    tag: 'Webhooks',
    method: 'POST',
    path: '/webhook-endpoints/:endpointId/resend',
    role: 'operator',
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
        'Events are being sent again to this endpoint already.',
      )
    const since = new Date(body.since)
    const [until, first] = await Promise.all([lastSequence(tx, tenantId), sequenceBefore(tx, tenantId, since)])
    const after = Math.min(first, until)
    if (until - after > eventsMax)
      throw new ApiError(
        webhookErrors.webhook_resend_too_large,
        `${until - after} events have happened since then, and at most ${eventsMax} are sent again: say a later time.`,
      )
    await startResend(tx, key, { since, after, until })
    await unblock(tx, key)
    const subject = { type: 'webhook_endpoint', id: params.endpointId }
    audit({ action: 'webhook_endpoint.resent', subject, after: { since: body.since, events: until - after } })
    return viewEndpoint(await readEndpoint(tx, key), now)
  },
)
