import { operatorListOperation } from '../../platform/api/declare/page.ts'
import { WebhookEndpoint } from '../endpoint.schema.ts'
import { countEndpoints, listEndpoints } from '../endpoint.sql.ts'
import { viewEndpoint } from '../endpoint.view.ts'

export const listWebhookEndpoints = operatorListOperation(
  {
    id: 'listWebhookEndpoints',
    summary: 'List webhook endpoints',
    description: 'Where events are posted to, and whether they arrive.',
    tag: 'Webhooks',
    path: '/webhook-endpoints',
    role: 'viewer',
    item: WebhookEndpoint,
    errors: [],
  },
  async ({ page }, { tenantId, tx, now }) => {
    const [count, rows] = await Promise.all([countEndpoints(tx, tenantId), listEndpoints(tx, tenantId, page)])
    return { count, results: rows.map((row) => viewEndpoint(row, now)) }
  },
)
