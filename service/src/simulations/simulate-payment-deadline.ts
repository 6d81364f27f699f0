import { operation } from '../platform/api/declare/operation.ts'
import { ApiError } from '../platform/api/errors/errors.ts'
import { requestErrors } from '../platform/api/errors/request.errors.ts'
import { OperatorOrderPath } from '../sales/orders/operator/operator-order.schema.ts'
import { readOperatorOrder } from '../sales/orders/operator/operator-order.view.ts'
import { lockOrder } from '../sales/orders/order-transition.sql.ts'
import { withDeadlinePassed } from './simulate-payment.ts'
import { simulationErrors } from './simulation.errors.ts'
import { SimulatedOrder } from './simulation.schema.ts'
import { viewSimulatedOrder } from './simulation.view.ts'
import { simulationHeader } from './simulation-header.ts'

export const simulatePaymentDeadline = operation(
  {
    id: 'simulatePaymentDeadline',
    summary: 'Expire the payment deadline of an order',
    description: 'The unpaid order becomes `NOPAYMENT`, and partial payments are due for refund. Development only.',
    ...simulationHeader,
    path: '/simulations/orders/:orderId/payment-deadline',
    idempotency: 'optional',
    params: OperatorOrderPath,
    success: { status: 200, body: SimulatedOrder },
    errors: [requestErrors.not_found, simulationErrors.simulation_not_possible],
  },
  async ({ params }, { tenantId, tx, now }) => {
    const key = { tenantId, ...params }
    const order = await lockOrder(tx, key)
    if (!order) throw new ApiError(requestErrors.not_found, 'The order does not exist.')
    await withDeadlinePassed(tx, order, now)
    return viewSimulatedOrder(await readOperatorOrder(tx, key))
  },
)
