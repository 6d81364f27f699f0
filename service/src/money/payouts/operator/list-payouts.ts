import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { createdRange, SeveralOf } from '../../../platform/api/declare/list-filters.ts'
import { Payout, payoutStatuses } from '../payout.schema.ts'
import { pageOfPayouts } from '../payout.sql.ts'
import { viewPayout } from '../payout.view.ts'

export const listPayouts = keysetListOperation(
  {
    id: 'listPayouts',
    summary: 'List payouts',
    description: 'Batches of refunds for the bank, with the current status of their refunds.',
    tag: 'Payments and refunds',
    path: '/payouts',
    duty: 'read',
    item: Payout,
    query: { status: SeveralOf(payoutStatuses, 'Only payouts with this status.'), ...createdRange },
    errors: [],
  },
  async ({ query, page }, { tenantId, tx }) => {
    const { count, rows } = await pageOfPayouts(tx, tenantId, query, page)
    return { count, ...pageOf(rows, page, viewPayout) }
  },
)
