import { Type } from 'typebox'
import { Uuid } from '../../../platform/api/declare/fields.ts'
import { operatorListOperation } from '../../../platform/api/declare/page.ts'
import { Refund, refundStatuses } from '../refund.schema.ts'
import { countRefunds, selectRefunds as listRows } from '../refund.sql.ts'
import { viewRefund } from '../refund.view.ts'

export const listRefunds = operatorListOperation(
  {
    id: 'listRefunds',
    summary: 'List refunds',
    description: 'Money that is owed back, is on its way or has arrived.',
    tag: 'Payments and refunds',
    path: '/refunds',
    role: 'viewer',
    item: Refund,
    query: {
      status: Type.Optional(Type.Enum(refundStatuses, { description: 'Only those in this state.' })),
      order_id: Type.Optional(Uuid('Only those of this order.', 'The order.')),
    },
    errors: [],
  },
  async ({ query, page }, { tenantId, tx }) => {
    const [count, rows] = await Promise.all([countRefunds(tx, tenantId, query), listRows(tx, tenantId, query, page)])
    return { count, results: rows.map(viewRefund) }
  },
)
