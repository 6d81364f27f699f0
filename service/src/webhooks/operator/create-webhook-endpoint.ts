import { operatorOperation } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { newRowId } from '../../platform/base/ids.ts'
import { endpointsMax, NewWebhookEndpoint, WebhookEndpointWithSecret } from '../endpoint.schema.ts'
import { countEndpoints, insertEndpoint, lockWebhookCursor } from '../endpoint.sql.ts'
import { viewEndpoint } from '../endpoint.view.ts'
import { newEndpointSecret, secretContext } from '../endpoint-secret.ts'
import { readEndpoint, requireTarget } from '../require-endpoint.ts'
import { webhookErrors } from '../webhook.errors.ts'

export const createWebhookEndpoint = operatorOperation(
  {
    id: 'createWebhookEndpoint',
    summary: 'Make a webhook endpoint',
    description:
      'Events that happen from now on are posted to it, signed as Standard Webhooks says. Its secret is shown this ' +
      'once: keep it.',
    tag: 'Webhooks',
    method: 'POST',
    path: '/webhook-endpoints',
    role: 'admin',
    idempotency: 'none',
    body: NewWebhookEndpoint,
    success: {
      status: 201,
      body: WebhookEndpointWithSecret,
      location: ({ id }: { id: string }) => `/webhook-endpoints/${id}`,
    },
    errors: [webhookErrors.webhook_endpoint_limit],
  },
  async ({ body }, { tenantId, tx, vault, now, targets, audit }) => {
    requireTarget(targets, body.url)
    const { url, description = '', event_types: types = null } = body
    // Held before they are counted, so that two at once do not both find room.
    await lockWebhookCursor(tx, tenantId)
    if ((await countEndpoints(tx, tenantId)) >= endpointsMax)
      throw new ApiError(
        webhookErrors.webhook_endpoint_limit,
        `A tenant has at most ${endpointsMax} webhook endpoints.`,
      )
    const id = newRowId()
    const secret = newEndpointSecret()
    const sealedSecret = await vault.seal(secret, secretContext(id))
    await insertEndpoint(tx, tenantId, { id, url, description, types, sealedSecret, createdAt: now })
    const after = { url, description, event_types: types }
    audit({ action: 'webhook_endpoint.created', subject: { type: 'webhook_endpoint', id }, after })
    return { ...viewEndpoint(await readEndpoint(tx, { tenantId, endpointId: id }), now), secret }
  },
)
