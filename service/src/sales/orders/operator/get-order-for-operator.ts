import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { OperatorOrder, OperatorOrderPath } from './operator-order.schema.ts'
import { readOperatorOrder } from './operator-order.view.ts'

export const getOrderForOperator = operatorOperation(
  {
    id: 'getOrder',
    summary: 'Read an order',
    description: 'Returns an order. `blockers` lists everything that keeps it from advancing and how to fix it.',
    tag: 'Orders',
    method: 'GET',
    path: '/orders/:orderId',
    duty: 'read',
    idempotency: 'none',
    params: OperatorOrderPath,
    success: { status: 200, body: OperatorOrder },
    errors: [requestErrors.not_found],
  },
  ({ params }, { tenantId, tx }) => readOperatorOrder(tx, { tenantId, ...params }),
)
