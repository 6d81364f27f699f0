import { tenantErrors } from '../../access/tenants/tenant.errors.ts'
import { findCellLimits } from '../../access/tenants/tenant-limits.sql.ts'
import { requireWithinLimit } from '../../access/tenants/tenant-limits.ts'
import { operatorOperation } from '../../platform/api/declare/operation.ts'
import { newRowId } from '../../platform/base/ids.ts'
import { newSigningSecret } from '../../platform/base/signing-secret.ts'
import { NewWebhookEndpoint, WebhookEndpointWithSecret } from '../endpoint.schema.ts'
import { countEndpoints, insertEndpoint, lockWebhookCursor } from '../endpoint.sql.ts'
import { viewEndpoint } from '../endpoint.view.ts'
import { sealedForEndpoint } from '../endpoint-secret.ts'
import { readEndpoint, requireTarget } from '../require-endpoint.ts'
import { newEndpointChallenge, sendVerification } from '../verification.ts'

export const createWebhookEndpoint = operatorOperation(
  {
    id: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint',
    description:
      'The service first posts a message of type `endpoint.verification` to it, and events from now on once it has ' +
      'responded with `{"challenge": "…"}`, the challenge of that message. If it does not within an hour, it is ' +
      'disabled. Messages are signed as Standard Webhooks specifies. The response is the only one that contains the ' +
      'secret: store it.',
    tag: 'Webhooks',
    method: 'POST',
    path: '/webhook-endpoints',
    duty: 'integrations',
    approval: 'never',
    idempotency: 'none',
    body: NewWebhookEndpoint,
    success: {
      status: 201,
      body: WebhookEndpointWithSecret,
      location: ({ id }: { id: string }) => `/webhook-endpoints/${id}`,
    },
    errors: [tenantErrors.tenant_limit_reached],
  },
  async ({ body }, { tenantId, tx, vault, now, targets, audit }) => {
    requireTarget(targets, body.url)
    const { url, description = '', event_types: types = null } = body
    // Locks before counting, so that two concurrent requests cannot both pass the limit.
    await lockWebhookCursor(tx, tenantId)
    const [used, limits] = await tx.batch(
      (tx) => countEndpoints(tx, tenantId),
      (tx) => findCellLimits(tx, tenantId),
    )
    requireWithinLimit('webhookEndpoints', used + 1, limits.webhookEndpoints)
    const id = newRowId()
    const secret = newSigningSecret()
    const encrypted = await vault.seal(secret, sealedForEndpoint(id))
    const endpoint = { id, url, description, types, secret: encrypted, createdAt: now, ...newEndpointChallenge(now) }
    await insertEndpoint(tx, tenantId, endpoint)
    await sendVerification(tx, { tenantId, endpointId: id })
    const after = { url, description, event_types: types }
    audit({ action: 'webhook_endpoint.created', subject: { type: 'webhook_endpoint', id }, after })
    return { ...viewEndpoint(await readEndpoint(tx, { tenantId, endpointId: id }), now), secret }
  },
)
