import { Type } from 'typebox'
import { operatorListOperation } from '../../../platform/api/declare/page.ts'
import { UnassignedPayment, unassignedStatuses } from '../unassigned-payment.schema.ts'
import { countUnassigned, listUnassigned } from '../unassigned-payment.sql.ts'
import { viewUnassigned } from '../unassigned-payment.view.ts'

export const listUnassignedPayments = operatorListOperation(
  {
    id: 'listUnassignedPayments',
    summary: 'List money that fits no order',
    description:
      'Money that names no order of yours, or two, or came in another currency. Each that is `open` has suggestions: ' +
      'orders that miss exactly this amount, the likeliest payer first.',
    tag: 'Payments and refunds',
    path: '/unassigned-payments',
    role: 'viewer',
    item: UnassignedPayment,
    query: { status: Type.Optional(Type.Enum(unassignedStatuses, { description: 'Only those in this state.' })) },
    errors: [],
  },
  async ({ query, page }, { tenantId, tx, vault }) => {
    const [count, rows] = await Promise.all([
      countUnassigned(tx, tenantId, query),
      listUnassigned(tx, tenantId, query, page),
    ])
    return { count, results: await viewUnassigned({ tenantId, tx, vault }, rows) }
  },
)
