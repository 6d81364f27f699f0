import { Type } from 'typebox'
import { Text, Uuid } from '../../../platform/api/declare/fields.ts'
import { operatorListOperation } from '../../../platform/api/declare/page.ts'
import { orderStatuses } from '../order.schema.ts'
import { countOrders, selectOrders as listRows } from './operator-order.sql.ts'
import { ListedOrder, viewListedOrder } from './operator-order.view.ts'

export const listOrders = operatorListOperation(
  {
    id: 'listOrders',
    summary: 'List orders',
    description: 'The orders of all offerings. Read a single one to see what keeps it from advancing.',
    tag: 'Orders',
    path: '/orders',
    role: 'viewer',
    item: ListedOrder,
    query: {
      status: Type.Optional(Type.Enum(orderStatuses, { description: 'Only those in this state.' })),
      offering_id: Type.Optional(Uuid('Only those of this offering.', 'The offering.')),
      account_id: Type.Optional(Uuid('Only those of this account.', 'The account.')),
      payment_reference: Type.Optional(
        Text(1, 35, { description: 'The one whose buyer wrote this on the transfer.', examples: ['RF18539007547034'] }),
      ),
    },
    errors: [],
  },
  async ({ query, page }, { tenantId, tx }) => {
    const [count, rows] = await Promise.all([countOrders(tx, tenantId, query), listRows(tx, tenantId, query, page)])
    return { count, results: rows.map(viewListedOrder) }
  },
)
