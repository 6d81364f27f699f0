import { operatorOperation } from '../../platform/api/declare/operation.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { EndpointPath, WebhookEndpoint } from '../endpoint.schema.ts'
import { viewEndpoint } from '../endpoint.view.ts'
import { readEndpoint } from '../require-endpoint.ts'

export const getWebhookEndpoint = operatorOperation(
  {
    id: 'getWebhookEndpoint',
    summary: 'Read a webhook endpoint',
    description: 'Its event types, its health and the progress of a resend.',
    tag: 'Webhooks',
    method: 'GET',
    path: '/webhook-endpoints/:endpointId',
    duty: 'read',
    idempotency: 'none',
    params: EndpointPath,
    success: { status: 200, body: WebhookEndpoint },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx, now }) => viewEndpoint(await readEndpoint(tx, { tenantId, ...params }), now),
)
