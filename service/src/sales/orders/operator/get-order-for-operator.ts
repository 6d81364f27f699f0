import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { readOne } from '../../../platform/api/declare/read-one.ts'
import { OperatorOrder, OperatorOrderPath } from './operator-order.schema.ts'
import { readOperatorOrder } from './operator-order.view.ts'

export const getOrderForOperator = operatorOperation(
  {
    ...readOne,
    id: 'getOrder',
    summary: 'Read an order',
    description: 'Returns an order. `blockers` lists everything that keeps it from advancing and how to fix it.',
    tag: 'Orders',
    path: '/orders/:orderId',
    duty: 'read',
    params: OperatorOrderPath,
    success: { status: 200, body: OperatorOrder },
  },
  ({ params }, { tenantId, tx }) => readOperatorOrder(tx, { tenantId, ...params }),
)
