import { Type } from 'typebox'
import { Uuid } from '../../../platform/api/declare/fields.ts'
import { operatorListOperation } from '../../../platform/api/declare/page.ts'
import { Refund, refundStatuses } from '../refund.schema.ts'
import { countRefunds, selectRefunds } from '../refund.sql.ts'
import { viewRefund } from '../refund.view.ts'

export const listRefunds = operatorListOperation(
  {
    id: 'listRefunds',
    summary: 'List refunds',
    description: 'Returns refunds that are due, sent, settled, failed or withdrawn.',
    tag: 'Payments and refunds',
    path: '/refunds',
    duty: 'read',
    item: Refund,
    query: {
      status: Type.Optional(Type.Enum(refundStatuses, { description: 'Return only refunds with this status.' })),
      order_id: Type.Optional(Uuid('Return only refunds of this order.', 'The order.')),
    },
    errors: [],
  },
  async ({ query, page }, { tenantId, tx }) => {
    const [count, rows] = await Promise.all([
      countRefunds(tx, tenantId, query),
      selectRefunds(tx, tenantId, query, page),
    ])
    return { count, results: rows.map(viewRefund) }
  },
)
