import { operatorOperation } from '../../platform/api/declare/operation.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { newRowId } from '../../platform/base/ids.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { WebhookDelivery } from '../delivery.schema.ts'
import { findDelivery, insertPing } from '../delivery.sql.ts'
import { viewDelivery } from '../delivery.view.ts'
import { EndpointPath } from '../endpoint.schema.ts'
import type { EndpointKey } from '../endpoint.sql.ts'
import { enqueueDeliveryJobNow } from '../enqueue-deliveries.ts'
import { pingType } from '../message.ts'
import { requireEnabledEndpoint } from '../require-endpoint.ts'
import { verifyAgain } from '../verification.ts'
import { webhookErrors } from '../webhook.errors.ts'

export const pingWebhookEndpoint = operatorOperation(
  {
    id: 'pingWebhookEndpoint',
    summary: 'Send a ping to a webhook endpoint',
    description:
      'Sends a message of type `webhook.ping` now, signed and delivered like any other, even if the endpoint is ' +
      'failing. The deliveries of the endpoint show the result. An endpoint that is not verified gets a new ' +
      'verification instead.',
    tag: 'Webhooks',
    method: 'POST',
    path: '/webhook-endpoints/:endpointId/ping',
    duty: 'integrations',
    approval: 'never',
    idempotency: 'optional',
    params: EndpointPath,
    success: { status: 200, body: WebhookDelivery },
    errors: [requestErrors.not_found, webhookErrors.webhook_endpoint_disabled],
  },
  async ({ params }, { tenantId, tx, now, audit }) => {
    const endpoint = await requireEnabledEndpoint(tx, { tenantId, ...params })
    const eventId = endpoint.verifiedAt
      ? await sendPing(tx, { tenantId, ...params })
      : await verifyAgain(tx, { tenantId, ...params }, now)
    const key = { tenantId, ...params, eventId }
    const subject = { type: 'webhook_endpoint', id: params.endpointId }
    audit({ action: 'webhook_endpoint.pinged', subject, after: { event_id: eventId } })
    const delivery = await findDelivery(tx, key)
    if (!delivery) throw new Error('the inserted ping does not exist')
    return viewDelivery(delivery)
  },
)

async function sendPing(tx: Transaction, key: EndpointKey): Promise<string> {
  const eventId = newRowId()
  await insertPing(tx, { ...key, eventId }, pingType)
  await enqueueDeliveryJobNow(tx, key)
  return eventId
}
