import { operatorOperation } from '../../platform/api/declare/operation.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { EndpointPath, WebhookEndpoint, WebhookEndpointChange } from '../endpoint.schema.ts'
import { updateEndpoint } from '../endpoint.sql.ts'
import { viewEndpoint } from '../endpoint.view.ts'
import { readEndpoint, requireEndpoint, requireTarget } from '../require-endpoint.ts'
import { verifyAgain } from '../verification.ts'

export const updateWebhookEndpoint = operatorOperation(
  {
    id: 'updateWebhookEndpoint',
    summary: 'Change a webhook endpoint',
    description:
      'Replaces the given members and keeps the others. A new url has to be verified like a new endpoint; until then ' +
      'pending deliveries and new events wait. New event types apply to events from now on.',
    tag: 'Webhooks',
    method: 'PATCH',
    path: '/webhook-endpoints/:endpointId',
    duty: 'integrations',
    approval: 'never',
    idempotency: 'optional',
    params: EndpointPath,
    body: WebhookEndpointChange,
    success: { status: 200, body: WebhookEndpoint },
    errors: [requestErrors.not_found],
  },
  async ({ params, body }, { tenantId, tx, now, targets, audit }) => {
    if (body.url !== undefined) requireTarget(targets, body.url)
    const key = { tenantId, ...params }
    const before = viewEndpoint(await requireEndpoint(tx, key), now)
    const after = { ...before, ...body }
    const names = (['url', 'description', 'event_types'] as const).filter(
      (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    )
    if (names.length === 0) {
      audit('nothing changed')
      return before
    }
    const { url, description, event_types: types } = after
    await updateEndpoint(tx, key, { url, description, types })
    if (names.includes('url')) await verifyAgain(tx, key, now)
    const of = (state: typeof before) => Object.fromEntries(names.map((name) => [name, state[name]]))
    const subject = { type: 'webhook_endpoint', id: params.endpointId }
    audit({ action: 'webhook_endpoint.changed', subject, before: of(before), after: of(after) })
    return viewEndpoint(await readEndpoint(tx, key), now)
  },
)
