import { operatorOperation } from '../../platform/api/declare/operation.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { EndpointPath, SecretRotation, WebhookEndpointWithSecret } from '../endpoint.schema.ts'
import { replaceSecret } from '../endpoint.sql.ts'
import { viewEndpoint } from '../endpoint.view.ts'
import { newEndpointSecret, oldSecretHours, secretContext } from '../endpoint-secret.ts'
import { readEndpoint, requireEndpoint } from '../require-endpoint.ts'

export const rotateWebhookSecret = operatorOperation(
  {
    id: 'rotateWebhookSecret',
    summary: 'Give a webhook endpoint a new secret',
    description:
      'Messages are signed with both secrets for `overlap_hours`, from the next attempt on. The new one is shown ' +
      'this once. For a secret that leaked say 0.',
    tag: 'Webhooks',
    method: 'POST',
    path: '/webhook-endpoints/:endpointId/rotate',
    role: 'admin',
    idempotency: 'none',
    params: EndpointPath,
    body: SecretRotation,
    success: { status: 200, body: WebhookEndpointWithSecret },
    errors: [requestErrors.not_found],
  },
  async ({ params, body }, { tenantId, tx, vault, now, audit }) => {
    const key = { tenantId, ...params }
    await requireEndpoint(tx, key)
    const secret = newEndpointSecret()
    const oldHours = body.overlap_hours ?? oldSecretHours
    const sealedSecret = await vault.seal(secret, secretContext(params.endpointId))
    await replaceSecret(tx, key, { sealedSecret, oldHours })
    const subject = { type: 'webhook_endpoint', id: params.endpointId }
    audit({ action: 'webhook_endpoint.secret_rotated', subject, after: { overlap_hours: oldHours } })
    return { ...viewEndpoint(await readEndpoint(tx, key), now), secret }
  },
)
