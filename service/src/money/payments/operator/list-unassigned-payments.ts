import { Type } from 'typebox'
import { CurrencyCode } from '../../../platform/api/declare/fields.ts'
import { keysetListOperation, pageOfViews } from '../../../platform/api/declare/keyset-list.ts'
import { createdRange, SeveralOf } from '../../../platform/api/declare/list-filters.ts'
import { ListedUnassignedPayment, unassignedStatuses } from '../unassigned-payment.schema.ts'
import { pageOfUnassigned } from '../unassigned-payment.sql.ts'
import { viewListedUnassigned } from '../unassigned-payment.view.ts'

export const listUnassignedPayments = keysetListOperation(
  {
    id: 'listUnassignedPayments',
    summary: 'List unassigned payments',
    description: 'Returns payments that match no order, match two, or have another currency than the order.',
    tag: 'Payments and refunds',
    path: '/unassigned-payments',
    duty: 'read',
    item: ListedUnassignedPayment,
    query: {
      status: SeveralOf(unassignedStatuses, 'Only payments with this status.'),
      currency: Type.Optional(CurrencyCode('Only payments in this currency.')),
      ...createdRange,
    },
    errors: [],
  },
  async ({ query, page }, { tenantId, tx, vault }) => {
    const { count, rows } = await pageOfUnassigned(tx, tenantId, query, page)
    const shown = await pageOfViews(rows, page, (those) =>
      Promise.all(those.map((row) => viewListedUnassigned(row, vault))),
    )
    return { count, ...shown }
  },
)
