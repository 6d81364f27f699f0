import { operatorOperation } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { DeliveryPath, WebhookDeliveryWithBody } from '../delivery.schema.ts'
import { type DeliveryKey, type DeliveryRow, findDeliveredEvent, findDelivery } from '../delivery.sql.ts'
import { viewDelivery } from '../delivery.view.ts'
import { bodyOf, pingBody, pingType } from '../message.ts'

export const getWebhookDelivery = operatorOperation(
  {
    id: 'getWebhookDelivery',
    summary: 'Read a delivery and its message',
    description:
      'The message contains ids and amounts, never personal data. Responses of receivers are not stored: a ' +
      'tenant, who chooses the URL, could otherwise read what other hosts return to this service.',
    tag: 'Webhooks',
    method: 'GET',
    path: '/webhook-endpoints/:endpointId/deliveries/:eventId',
    duty: 'read',
    idempotency: 'none',
    params: DeliveryPath,
    success: { status: 200, body: WebhookDeliveryWithBody },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const delivery = await findDelivery(tx, key)
    if (!delivery) throw new ApiError(requestErrors.not_found, 'The event has no delivery to this endpoint.')
    return { ...viewDelivery(delivery), request_body: await messageOf(tx, key, delivery) }
  },
)

async function messageOf(
  tx: Transaction,
  { tenantId, endpointId }: DeliveryKey,
  delivery: DeliveryRow,
): Promise<string | null> {
  if (delivery.type === pingType) return pingBody({ ...delivery, endpointId })
  const event = await findDeliveredEvent(tx, tenantId, delivery)
  return event ? bodyOf(event) : null
}
