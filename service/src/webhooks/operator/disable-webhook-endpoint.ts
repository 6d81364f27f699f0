import { operatorOperation } from '../../platform/api/declare/operation.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import { EndpointPath, WebhookEndpoint } from '../endpoint.schema.ts'
import { disableLockedEndpoint } from '../endpoint.sql.ts'
import { viewEndpoint } from '../endpoint.view.ts'
import { readEndpoint, requireEndpoint } from '../require-endpoint.ts'

export const disableWebhookEndpoint = operatorOperation(
  {
    id: 'disableWebhookEndpoint',
    summary: 'Disable a webhook endpoint',
    description:
      'The endpoint receives nothing from now on, and its pending deliveries are dropped. A message that is in ' +
      'flight may still arrive. Disabling a disabled endpoint changes nothing.',
    tag: 'Webhooks',
    method: 'POST',
    path: '/webhook-endpoints/:endpointId/disable',
    duty: 'integrations',
    approval: 'never',
    idempotency: 'optional',
    params: EndpointPath,
    success: { status: 200, body: WebhookEndpoint },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, ...params }
    const endpoint = await requireEndpoint(tx, key)
    if (endpoint.disabledAt) {
      audit('nothing changed')
      return viewEndpoint(endpoint, now)
    }
    await disableLockedEndpoint(tx, key, 'OPERATOR')
    const data = { endpoint_id: params.endpointId, reason: 'OPERATOR' }
    await recordEvent(tx, tenantId, { type: 'webhook_endpoint.disabled', data })
    const subject = { type: 'webhook_endpoint', id: params.endpointId }
    audit({ action: 'webhook_endpoint.disabled', subject, after: { disabled_reason: 'OPERATOR' } })
    return viewEndpoint(await readEndpoint(tx, key), now)
  },
)
