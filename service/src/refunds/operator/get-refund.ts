import { ApiError } from '../../http/errors.ts'
import { operatorOperation } from '../../http/operation.ts'
import { Refund, RefundPath } from '../refund.schema.ts'
import { findRefund } from '../refund.sql.ts'
import { viewRefund } from '../refund.view.ts'

export const getRefund = operatorOperation(
  {
    id: 'getRefund',
    summary: 'Read a refund',
    description: 'One refund and how far it has come.',
    tag: 'Payments and refunds',
    method: 'GET',
    path: '/refunds/:refundId',
    role: 'viewer',
    idempotency: 'none',
    params: RefundPath,
    success: { status: 200, body: Refund },
    errors: ['not_found'],
  },
  async ({ params }, { tenantId, tx }) => {
    const refund = await findRefund(tx, { tenantId, ...params })
    if (!refund) throw new ApiError('not_found', 'There is no such refund.')
    return viewRefund(refund)
  },
)
