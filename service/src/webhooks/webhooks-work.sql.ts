import { sql } from '../platform/postgres/sql.ts'
import type { WorkKind } from '../records/work/work-kind.ts'

/** Work of the room webhooks. A tenant has few endpoints, so it needs no partial index. */
export const webhooksWork: readonly WorkKind[] = [
  {
    kind: 'webhook_failing',
    description:
      'webhook endpoints to which nothing could be delivered lately, or that were disabled for it, until a delivery ' +
      'succeeds or an operator enables or disables them',
    duty: 'integrations',
    sources: [
      {
        database: 'cell',
        from: sql`cell.webhook_endpoint`,
        where: ({ tenantId }) => sql`
          webhook_endpoint.tenant_id = ${tenantId}
          and case when webhook_endpoint.disabled_at is null then webhook_endpoint.failing_since is not null
                   else webhook_endpoint.disabled_reason <> 'OPERATOR' end`,
        id: sql`webhook_endpoint.id`,
        since: {
          column: sql`coalesce(webhook_endpoint.failing_since, webhook_endpoint.disabled_at)`,
          type: 'timestamptz',
        },
        name: sql`webhook_endpoint.url`,
        target: 'webhook_endpoint',
      },
    ],
  },
]
