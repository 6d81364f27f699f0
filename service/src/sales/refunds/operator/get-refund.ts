import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { Refund, RefundPath } from '../refund.schema.ts'
import { findRefund } from '../refund.sql.ts'
import { viewRefund } from '../refund.view.ts'

export const getRefund = operatorOperation(
  {
    id: 'getRefund',
    summary: 'Read a refund',
    description: 'Returns a refund and its status.',
    tag: 'Payments and refunds',
    method: 'GET',
    path: '/refunds/:refundId',
    duty: 'read',
    idempotency: 'none',
    params: RefundPath,
    success: { status: 200, body: Refund },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx }) => {
    const refund = found(await findRefund(tx, { tenantId, ...params }), 'Refund not found.')
    return viewRefund(refund)
  },
)
