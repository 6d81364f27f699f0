import { operation } from '../../platform/api/declare/operation.ts'
import { OfferingPath } from '../offerings/offering.schema.ts'
import { NewOrder, Order } from './order.schema.ts'
import { viewOrder } from './order.view.ts'
import { reserveOrder, reserveOrderErrors } from './reserve-order.ts'

export const createOrder = operation(
  {
    id: 'createOrder',
    summary: 'Order units of an offering',
    description:
      'Reserves units of an offering for an account and returns the amount and the bank account to pay. The units ' +
      'are subtracted from `available_units` immediately and returned when the order is cancelled. `units` must be ' +
      'between `min_units` and `max_units` of the offering. Without an idempotency key, sending the request again ' +
      'creates a second order.',
    tag: 'Orders',
    method: 'POST',
    path: '/offerings/:offeringId/orders',
    scopes: ['order.create'],
    idempotency: 'optional',
    params: OfferingPath,
    body: NewOrder,
    success: {
      status: 201,
      body: Order,
      location: (order: { id: string; offering: { id: string } }) =>
        `/offerings/${order.offering.id}/orders/${order.id}`,
    },
    errors: reserveOrderErrors,
  },
  async ({ params, body }, { tenantId, tx, now }) =>
    viewOrder(await reserveOrder(tx, { tenantId, ...params }, body, now)),
)
