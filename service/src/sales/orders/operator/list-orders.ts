import { Type } from 'typebox'
import { Text, Uuid } from '../../../platform/api/declare/fields.ts'
import { operatorListOperation } from '../../../platform/api/declare/page.ts'
import { orderStatuses } from '../order.schema.ts'
import { ListedOrder } from './operator-order.schema.ts'
import { countOrders, selectOrders } from './operator-order.sql.ts'
import { viewListedOrder } from './operator-order.view.ts'

export const listOrders = operatorListOperation(
  {
    id: 'listOrders',
    summary: 'List orders',
    description: 'Returns the orders of all offerings. Get a single order to see its blockers.',
    tag: 'Orders',
    path: '/orders',
    duty: 'read',
    item: ListedOrder,
    query: {
      status: Type.Optional(Type.Enum(orderStatuses, { description: 'Return only orders with this status.' })),
      offering_id: Type.Optional(Uuid('Return only orders of this offering.', 'The offering.')),
      account_id: Type.Optional(Uuid('Return only orders of this account.', 'The account.')),
      payment_reference: Type.Optional(
        Text(1, 35, { description: 'Return only the order with this reference.', examples: ['RF18539007547034'] }),
      ),
    },
    errors: [],
  },
  async ({ query, page }, { tenantId, tx }) => {
    const [count, rows] = await Promise.all([countOrders(tx, tenantId, query), selectOrders(tx, tenantId, query, page)])
    return { count, results: rows.map(viewListedOrder) }
  },
)
