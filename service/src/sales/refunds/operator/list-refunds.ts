import { Type } from 'typebox'
import { Uuid } from '../../../platform/api/declare/fields.ts'
import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { createdRange, SeveralOf } from '../../../platform/api/declare/list-filters.ts'
import { ListedRefund, refundStatuses } from '../refund.schema.ts'
import { pageOfRefunds } from '../refund.sql.ts'
import { viewListedRefund } from '../refund.view.ts'

export const listRefunds = keysetListOperation(
  {
    id: 'listRefunds',
    summary: 'List refunds',
    description: 'Returns refunds that are due, sent, settled, failed or withdrawn.',
    tag: 'Payments and refunds',
    path: '/refunds',
    duty: 'read',
    item: ListedRefund,
    query: {
      status: SeveralOf(refundStatuses, 'Only refunds with this status.'),
      order_id: Type.Optional(Uuid('Only refunds of this order.', 'The order.')),
      ...createdRange,
    },
    errors: [],
  },
  async ({ query, page }, { tenantId, tx }) => {
    const { count, rows } = await pageOfRefunds(tx, tenantId, query, page)
    return { count, ...pageOf(rows, page, viewListedRefund) }
  },
)
