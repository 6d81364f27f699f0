import type { Call } from '../call.ts'
import type { NewOrder, Order, OrderCancellation, Responses } from '../generated/schemas.ts'
import type { List } from '../list.ts'
import type { ListOptions, RequestOptions, WriteOptions } from '../options.ts'
import { Resource } from './resource.ts'

export class Orders extends Resource {
  /**
   * Orders units of an offering for an account and reserves them. `units` is in the token's smallest unit:
   * `toUnits('10', offering.decimals)`. Scope: `order.create`.
   */
  create(offeringId: string, body: NewOrder, options?: WriteOptions): Call<Order> {
    return this.call('createOrder', { params: { offeringId }, body, options })
  }

  /** One order with its account, its offering and the bank account to pay to. Scope: `order.read`. */
  get(offeringId: string, orderId: string, options?: RequestOptions): Call<Order> {
    return this.call('getOrder', { params: { offeringId, orderId }, options })
  }

  /**
   * Cancels an order, which is possible until minting begins. Needs no idempotency key: cancelling a cancelled order
   * returns the same response. Scope: `order.update` or `order.delete`.
   */
  cancel(offeringId: string, orderId: string, options?: RequestOptions): Call<OrderCancellation> {
    return this.call('cancelOrder', { params: { offeringId, orderId }, options })
  }

  /** The orders of an offering from all accounts. Scope: `order.read`. */
  list(offeringId: string, options?: ListOptions): List<Responses['listOfferingOrders']> {
    return this.pages('listOfferingOrders', options, { params: { offeringId } })
  }
}
