import { operatorOperation } from '../../platform/api/declare/operation.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { newSigningSecret } from '../../platform/base/signing-secret.ts'
import { EndpointPath, SecretRotation, WebhookEndpointWithSecret } from '../endpoint.schema.ts'
import { replaceSecret } from '../endpoint.sql.ts'
import { viewEndpoint } from '../endpoint.view.ts'
import { sealedForEndpoint, secretOverlapHoursMax } from '../endpoint-secret.ts'
import { readEndpoint, requireEndpoint } from '../require-endpoint.ts'

export const rotateWebhookSecret = operatorOperation(
  {
    id: 'rotateWebhookSecret',
    summary: 'Rotate the secret of a webhook endpoint',
    description:
      'From the next attempt on, messages are signed with both secrets for `overlap_hours`. The response is the only ' +
      'one that contains the new secret. If the secret has leaked, use 0.',
    tag: 'Webhooks',
    method: 'POST',
    path: '/webhook-endpoints/:endpointId/rotate',
    duty: 'integrations',
    approval: 'never',
    idempotency: 'none',
    params: EndpointPath,
    body: SecretRotation,
    success: { status: 200, body: WebhookEndpointWithSecret },
    errors: [requestErrors.not_found],
  },
  async ({ params, body }, { tenantId, tx, vault, now, audit }) => {
    const key = { tenantId, ...params }
    await requireEndpoint(tx, key)
    const secret = newSigningSecret()
    const overlapHours = body.overlap_hours ?? secretOverlapHoursMax
    const encrypted = await vault.seal(secret, sealedForEndpoint(params.endpointId))
    await replaceSecret(tx, key, { secret: encrypted, overlapHours })
    const subject = { type: 'webhook_endpoint', id: params.endpointId }
    audit({ action: 'webhook_endpoint.secret_rotated', subject, after: { overlap_hours: overlapHours } })
    return { ...viewEndpoint(await readEndpoint(tx, key), now), secret }
  },
)
