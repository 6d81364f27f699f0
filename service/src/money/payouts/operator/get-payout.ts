import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { Payout, PayoutPath } from '../payout.schema.ts'
import { findPayout } from '../payout.sql.ts'
import { viewPayout } from '../payout.view.ts'

export const getPayout = operatorOperation(
  {
    id: 'getPayout',
    summary: 'Get a payout',
    description: 'Its sums and the current status of its refunds.',
    tag: 'Payments and refunds',
    method: 'GET',
    path: '/payouts/:payoutId',
    duty: 'read',
    idempotency: 'none',
    params: PayoutPath,
    success: { status: 200, body: Payout },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx }) => {
    const payout = found(await findPayout(tx, { tenantId, ...params }), 'The payout does not exist.')
    return viewPayout(payout)
  },
)
