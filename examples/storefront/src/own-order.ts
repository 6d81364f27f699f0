import { NotFoundError, type Order } from '@investor-token/sdk'
import type { FastifyRequest } from 'fastify'
import { Refusal, requireSession, type Shop } from './shop.ts'

export interface OrderPath {
  Params: { offeringId: string; orderId: string }
}

/**
 * The service knows the shop and not its visitors: it answers for every order of the tenant. That this one belongs to
 * who asks is ours to check, and somebody else's is answered like one that does not exist.
 */
export async function requireOrder(shop: Shop, request: FastifyRequest<OrderPath>): Promise<Order> {
  const { account } = requireSession(shop, request)
  const { offeringId, orderId } = request.params
  const order = await shop.board.look(shop.service, offeringId, orderId).catch((error: unknown) => {
    throw error instanceof NotFoundError ? unknown() : error
  })
  if (order.account.id !== account.id) throw unknown()
  return order
}

export function pathOf({ id, offering }: Pick<Order, 'id' | 'offering'>): string {
  return `/offerings/${offering.id}/orders/${id}`
}

function unknown(): Refusal {
  return new Refusal(404, 'You have no such order.')
}
