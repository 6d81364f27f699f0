import { Type } from 'typebox'
import { operatorListOperation } from '../../../platform/api/declare/page.ts'
import { UnassignedPayment, unassignedStatuses } from '../unassigned-payment.schema.ts'
import { countUnassignedPayments, selectUnassignedPayments } from '../unassigned-payment.sql.ts'
import { viewUnassignedPayments } from '../unassigned-payment.view.ts'

export const listUnassignedPayments = operatorListOperation(
  {
    id: 'listUnassignedPayments',
    summary: 'List unassigned payments',
    description:
      'Returns payments that match no order, match two, or have another currency than the order. Each `open` payment ' +
      'has suggestions: orders that lack exactly this amount, the most similar account name first.',
    tag: 'Payments and refunds',
    path: '/unassigned-payments',
    duty: 'read',
    item: UnassignedPayment,
    query: {
      status: Type.Optional(Type.Enum(unassignedStatuses, { description: 'Return only payments with this status.' })),
    },
    errors: [],
  },
  async ({ query, page }, { tenantId, tx, vault }) => {
    const [count, rows] = await Promise.all([
      countUnassignedPayments(tx, tenantId, query),
      selectUnassignedPayments(tx, tenantId, query, page),
    ])
    return { count, results: await viewUnassignedPayments({ tenantId, tx, vault }, rows) }
  },
)
