import type { Call } from '../call.ts'
import type { Offering, Responses } from '../generated/schemas.ts'
import type { List } from '../list.ts'
import type { ListOptions, RequestOptions } from '../options.ts'
import type { Transport } from '../transport.ts'
import { Orders } from './orders.ts'
import { Resource } from './resource.ts'

/** Offerings: tokens for sale, with their price and remaining units. */
export class Offerings extends Resource {
  /** The orders of an offering. */
  readonly orders: Orders

  constructor(transport: Transport) {
    super(transport)
    this.orders = new Orders(transport)
  }

  /** One offering. Pass its `decimals` to `toUnits` and `fromUnits`. Scope: `offering.read`. */
  get(offeringId: string, options?: RequestOptions): Call<Offering> {
    return this.call('getOffering', { params: { offeringId }, options })
  }

  /** The offerings of your tenant. Scope: `offering.read`. */
  list(options?: ListOptions): List<Responses['listOfferings']> {
    return this.pages('listOfferings', options)
  }
}
