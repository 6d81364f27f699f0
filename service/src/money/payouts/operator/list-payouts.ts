import { Type } from 'typebox'
import { operatorListOperation } from '../../../platform/api/declare/page.ts'
import { Payout, payoutStatuses } from '../payout.schema.ts'
import { countPayouts, selectPayouts } from '../payout.sql.ts'
import { viewPayout } from '../payout.view.ts'

export const listPayouts = operatorListOperation(
  {
    id: 'listPayouts',
    summary: 'List payouts',
    description: 'Batches of refunds for the bank, with the current status of their refunds.',
    tag: 'Payments and refunds',
    path: '/payouts',
    duty: 'read',
    item: Payout,
    query: { status: Type.Optional(Type.Enum(payoutStatuses, { description: 'Only payouts with this status.' })) },
    errors: [],
  },
  async ({ query: { status = null }, page }, { tenantId, tx }) => {
    const [count, rows] = await Promise.all([
      countPayouts(tx, tenantId, status),
      selectPayouts(tx, tenantId, status, page),
    ])
    return { count, results: rows.map(viewPayout) }
  },
)
