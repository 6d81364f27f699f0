import { operatorOperation } from '../../platform/api/declare/operation.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { EndpointPath, WebhookEndpoint } from '../endpoint.schema.ts'
import { enableLockedEndpoint, lockWebhookCursor } from '../endpoint.sql.ts'
import { viewEndpoint } from '../endpoint.view.ts'
import { readEndpoint, requireEndpoint } from '../require-endpoint.ts'
import { verifyAgain } from '../verification.ts'

export const enableWebhookEndpoint = operatorOperation(
  {
    id: 'enableWebhookEndpoint',
    summary: 'Enable a webhook endpoint',
    description:
      'The endpoint receives events from now on, if need be once it has responded to a new verification. Use ' +
      '`POST …/resend` for the events it missed. Enabling an enabled endpoint changes nothing.',
    tag: 'Webhooks',
    method: 'POST',
    path: '/webhook-endpoints/:endpointId/enable',
    duty: 'integrations',
    approval: 'never',
    idempotency: 'optional',
    params: EndpointPath,
    success: { status: 200, body: WebhookEndpoint },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, ...params }
    // Reads before the cursor lock, which would create a cursor for a tenant without endpoints.
    const known = await readEndpoint(tx, key)
    if (!known.disabledAt) {
      audit('nothing changed')
      return viewEndpoint(known, now)
    }
    await lockWebhookCursor(tx, tenantId)
    const { disabledReason, verifiedAt } = await requireEndpoint(tx, key)
    await enableLockedEndpoint(tx, key)
    if (!verifiedAt) await verifyAgain(tx, key, now)
    const subject = { type: 'webhook_endpoint', id: params.endpointId }
    audit({ action: 'webhook_endpoint.enabled', subject, before: { disabled_reason: disabledReason } })
    return viewEndpoint(await readEndpoint(tx, key), now)
  },
)
