import { keysetListOperation, pageOf } from '../../platform/api/declare/keyset-list.ts'
import { WebhookEndpoint } from '../endpoint.schema.ts'
import { countEndpoints, selectEndpoints } from '../endpoint.sql.ts'
import { viewEndpoint } from '../endpoint.view.ts'

export const listWebhookEndpoints = keysetListOperation(
  {
    id: 'listWebhookEndpoints',
    summary: 'List webhook endpoints',
    description: 'The URLs to which events are posted, and their health.',
    tag: 'Webhooks',
    path: '/webhook-endpoints',
    duty: 'read',
    item: WebhookEndpoint,
    errors: [],
  },
  async ({ page }, { tenantId, tx, now }) => {
    const [count, rows] = await tx.batch(
      (tx) => countEndpoints(tx, tenantId),
      (tx) => selectEndpoints(tx, tenantId, page),
    )
    return { count, ...pageOf(rows, page, (row) => viewEndpoint(row, now)) }
  },
)
