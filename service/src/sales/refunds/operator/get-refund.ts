import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { readOne } from '../../../platform/api/declare/read-one.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { Refund, RefundPath } from '../refund.schema.ts'
import { findRefund } from '../refund.sql.ts'
import { viewRefund } from '../refund.view.ts'

export const getRefund = operatorOperation(
  {
    ...readOne,
    id: 'getRefund',
    summary: 'Read a refund',
    description: 'Returns a refund and its status.',
    tag: 'Payments and refunds',
    path: '/refunds/:refundId',
    duty: 'read',
    params: RefundPath,
    success: { status: 200, body: Refund },
  },
  async ({ params }, { tenantId, tx }) => {
    const refund = found(await findRefund(tx, { tenantId, ...params }), 'Refund not found.')
    return viewRefund(refund)
  },
)
