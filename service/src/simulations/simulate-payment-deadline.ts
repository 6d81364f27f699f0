import { ApiError } from '../http/errors.ts'
import { operation } from '../http/operation.ts'
import { OperatorOrderPath } from '../orders/operator-order.schema.ts'
import { readOperatorOrder } from '../orders/operator-order.view.ts'
import { lockOrder } from '../orders/order-life.sql.ts'
import { withDeadlinePassed } from './simulate-payment.ts'
import { SimulatedOrder } from './simulation.schema.ts'
import { viewSimulatedOrder } from './simulation.view.ts'
import { simulationScopes, simulationTag } from './simulation-header.ts'

export const simulatePaymentDeadline = operation(
  {
    id: 'simulatePaymentDeadline',
    summary: 'Let the payment deadline of an order pass',
    description: 'An order that is not paid becomes `NOPAYMENT`; what was paid is owed back. Development only.',
    tag: simulationTag,
    method: 'POST',
    path: '/simulations/orders/:orderId/payment-deadline',
    scopes: simulationScopes,
    idempotency: 'optional',
    params: OperatorOrderPath,
    success: { status: 200, body: SimulatedOrder },
    errors: ['not_found', 'simulation_refused'],
    isExtension: true,
  },
  async ({ params }, { tenantId, tx, now }) => {
    const key = { tenantId, ...params }
    const order = await lockOrder(tx, key)
    if (!order) throw new ApiError('not_found', 'There is no such order.')
    await withDeadlinePassed(tx, order, now)
    return viewSimulatedOrder(await readOperatorOrder(tx, key))
  },
)
