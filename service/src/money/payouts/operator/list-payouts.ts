import { Type } from 'typebox'
import { operatorListOperation } from '../../../platform/api/declare/page.ts'
import { Payout, payoutStatuses } from '../payout.schema.ts'
import { countPayouts, selectPayouts as listRows } from '../payout.sql.ts'
import { viewPayout } from '../payout.view.ts'

export const listPayouts = operatorListOperation(
  {
    id: 'listPayouts',
    summary: 'List payouts',
    description: 'Files of refunds for the bank, and how far the refunds in them have come.',
    tag: 'Payments and refunds',
    path: '/payouts',
    role: 'viewer',
    item: Payout,
    query: { status: Type.Optional(Type.Enum(payoutStatuses, { description: 'Only those in this state.' })) },
    errors: [],
  },
  async ({ query: { status = null }, page }, { tenantId, tx }) => {
    const [count, rows] = await Promise.all([countPayouts(tx, tenantId, status), listRows(tx, tenantId, status, page)])
    return { count, results: rows.map(viewPayout) }
  },
)
