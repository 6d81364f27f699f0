import { listOperation } from '../../platform/api/declare/page.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { OfferingPath, OfferingSummary } from '../offerings/offering.schema.ts'
import { findOfferingWithOrderCount } from '../offerings/offering.sql.ts'
import { viewOfferingSummary } from '../offerings/offering.view.ts'
import { OrderOfOffering } from './order.schema.ts'
import { selectOrdersOfOffering } from './order.sql.ts'
import { ordersOfOffering } from './order.view.ts'

export const listOfferingOrders = listOperation(
  {
    id: 'listOfferingOrders',
    summary: 'List the orders of an offering',
    description: 'Returns the orders of an offering from all accounts.',
    tag: 'Orders',
    path: '/offerings/:offeringId/orders',
    scopes: ['order.read'],
    params: OfferingPath,
    beside: { offering: OfferingSummary },
    item: OrderOfOffering,
    errors: [requestErrors.not_found],
  },
  async ({ params, page }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const [offering, orders] = await tx.batch(
      (tx) => findOfferingWithOrderCount(tx, key),
      (tx) => selectOrdersOfOffering(tx, key, page),
    )
    if (!offering) throw new ApiError(requestErrors.not_found, 'Offering not found.')
    return {
      count: Number(offering.count),
      offering: viewOfferingSummary(offering),
      results: ordersOfOffering(orders),
    }
  },
)
