import { NotFoundError, type Order } from '@investor-token/sdk'
import type { FastifyRequest } from 'fastify'
import { PageError, requireSession, type Shop } from './shop.ts'

export interface OrderPath {
  Params: { offeringId: string; orderId: string }
}

/**
 * Returns the order if it belongs to the signed-in visitor. The service knows the shop and not its visitors and returns
 * every order of the tenant, so the shop must check the owner. For another visitor's order it responds with 404, as if
 * the order did not exist.
 */
export async function requireOrder(shop: Shop, request: FastifyRequest<OrderPath>): Promise<Order> {
  const { account } = requireSession(shop, request)
  const { offeringId, orderId } = request.params
  const order = await shop.orders.fetch(shop.service, offeringId, orderId).catch((error: unknown) => {
    throw error instanceof NotFoundError ? notFound() : error
  })
  if (order.account.id !== account.id) throw notFound()
  return order
}

export function pathOf({ id, offering }: Pick<Order, 'id' | 'offering'>): string {
  return `/offerings/${offering.id}/orders/${id}`
}

function notFound(): PageError {
  return new PageError(404, 'You do not have this order.')
}
