import { Type } from 'typebox'
import { keysetListOperation, pageOf } from '../../platform/api/declare/keyset-list.ts'
import { SeveralOf } from '../../platform/api/declare/list-filters.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { WebhookDelivery } from '../delivery.schema.ts'
import { countDeliveries, deliveryStates, selectDeliveries } from '../delivery.sql.ts'
import { viewDelivery } from '../delivery.view.ts'
import { EndpointPath } from '../endpoint.schema.ts'
import { readEndpoint } from '../require-endpoint.ts'

export const listWebhookDeliveries = keysetListOperation(
  {
    id: 'listWebhookDeliveries',
    summary: 'List deliveries to a webhook endpoint',
    description: 'The deliveries of the last 30 days with their attempts. Response bodies are not stored.',
    tag: 'Webhooks',
    path: '/webhook-endpoints/:endpointId/deliveries',
    duty: 'read',
    item: WebhookDelivery,
    sorts: ['created_at'],
    params: EndpointPath,
    query: {
      state: SeveralOf(deliveryStates, 'Only deliveries in this state.'),
      event_type: Type.Optional(Type.String({ maxLength: 100, description: 'Only deliveries of this event type.' })),
    },
    errors: [requestErrors.not_found],
  },
  async ({ params, query, page }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const filter = { state: query.state, type: query.event_type }
    const [count, rows] = await tx.batch(
      (tx) => countDeliveries(tx, key, filter),
      (tx) => selectDeliveries(tx, key, filter, page),
      (tx) => readEndpoint(tx, key),
    )
    return { count, ...pageOf(rows, page, viewDelivery) }
  },
)
