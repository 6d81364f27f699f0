import { operatorOperation } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { DeliveryPath, WebhookDelivery } from '../delivery.schema.ts'
import { requeueDelivery } from '../delivery.sql.ts'
import { viewDelivery } from '../delivery.view.ts'
import { enqueueDeliveryJobNow } from '../enqueue-deliveries.ts'
import { requireEnabledEndpoint } from '../require-endpoint.ts'
import { webhookErrors } from '../webhook.errors.ts'

export const resendWebhookDelivery = operatorOperation(
  {
    id: 'resendWebhookDelivery',
    summary: 'Resend a delivery',
    description: 'Sends the message again now, in any state, with the same webhook-id; then retries by the schedule.',
    tag: 'Webhooks',
    method: 'POST',
    path: '/webhook-endpoints/:endpointId/deliveries/:eventId/resend',
    duty: 'integrations',
    approval: 'never',
    bulk: true,
    idempotency: 'optional',
    params: DeliveryPath,
    success: { status: 200, body: WebhookDelivery },
    errors: [requestErrors.not_found, webhookErrors.webhook_endpoint_disabled],
  },
  async ({ params }, { tenantId, tx, audit }) => {
    const key = { tenantId, ...params }
    await requireEnabledEndpoint(tx, key)
    const delivery = await requeueDelivery(tx, key)
    if (!delivery) throw new ApiError(requestErrors.not_found, 'The event has no delivery to this endpoint.')
    await enqueueDeliveryJobNow(tx, key)
    const subject = { type: 'webhook_endpoint', id: params.endpointId }
    audit({ action: 'webhook_endpoint.resent', subject, after: { event_id: params.eventId } })
    return viewDelivery(delivery)
  },
)
