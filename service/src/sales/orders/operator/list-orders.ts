import { Type } from 'typebox'
import { Text, Uuid } from '../../../platform/api/declare/fields.ts'
import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { createdRange, SeveralOf } from '../../../platform/api/declare/list-filters.ts'
import { blockerCodes } from '../blockers.ts'
import { orderStatuses } from '../order.schema.ts'
import { countOrders, selectOrders } from './listed-order.sql.ts'
import { OperatorOrder } from './operator-order.schema.ts'
import { viewOperatorOrder } from './operator-order.view.ts'

const MinorUnits = (description: string) =>
  Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: `${description} In minor units.` }),
  )

export const listOrders = keysetListOperation(
  {
    id: 'listOrders',
    summary: 'List orders',
    description: 'Returns the orders of all offerings, with what blocks them.',
    tag: 'Orders',
    path: '/orders',
    duty: 'read',
    item: OperatorOrder,
    sorts: ['created_at', 'total_amount', 'missing_amount', 'payment_due_at'],
    query: {
      status: SeveralOf(orderStatuses, 'Only orders with this status.'),
      blocker: Type.Optional(Type.Enum(blockerCodes, { description: 'Only orders with this blocker.' })),
      offering_id: Type.Optional(Uuid('Only orders of this offering.', 'The offering.')),
      account_id: Type.Optional(Uuid('Only orders of this account.', 'The account.')),
      payment_reference: Type.Optional(
        Text(1, 35, { description: 'Only the order with this reference.', examples: ['RF18539007547034'] }),
      ),
      total_from: MinorUnits('Only orders with at least this total.'),
      total_to: MinorUnits('Only orders with at most this total.'),
      ...createdRange,
    },
    errors: [],
  },
  async ({ query, page }, { tenantId, tx }) => {
    const [counted, rows] = await tx.batch(
      (tx) => countOrders(tx, tenantId, query),
      (tx) => selectOrders(tx, tenantId, query, page),
    )
    return { ...counted, ...pageOf(rows, page, viewOperatorOrder) }
  },
)
