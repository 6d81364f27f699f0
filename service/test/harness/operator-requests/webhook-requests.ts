import { WebhookRows } from '../data/webhook-rows.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import { bulkOf, type OfTenant, type OperatorRequest } from './operator-request.ts'

const endpoint = (installation: TestInstallation, { tenantId }: OfTenant) =>
  new WebhookRows(installation, tenantId).createDelivery()

const disabledEndpoint = async (installation: TestInstallation, { tenantId }: OfTenant) => {
  const rows = new WebhookRows(installation, tenantId)
  const { endpointId } = await rows.createDelivery()
  await rows.disable(endpointId)
  return { endpointId }
}

/** Valid requests of operations, by id. */
export const webhookRequests: Readonly<Record<string, OperatorRequest>> = {
  createWebhookEndpoint: { body: () => ({ url: 'https://example.com/webhooks', event_types: ['order.paid'] }) },
  updateWebhookEndpoint: { body: () => ({ description: crypto.randomUUID() }), prepare: endpoint },
  disableWebhookEndpoint: { prepare: endpoint },
  enableWebhookEndpoint: { prepare: disabledEndpoint },
  pingWebhookEndpoint: { prepare: endpoint },
  resendWebhookEvents: { body: () => ({ since: '2026-07-02T10:00:00.000Z' }), prepare: endpoint },
  rotateWebhookSecret: { body: () => ({}), prepare: endpoint },
  resendWebhookDelivery: { prepare: endpoint },
  bulkResendWebhookDelivery: bulkOf(
    ({ endpointId, eventId }) => ({ endpoint_id: endpointId, event_id: eventId }),
    endpoint,
  ),
}
