import type { Call } from '../call.ts'
import type { Answers, Offering } from '../generated/schemas.ts'
import { List } from '../list.ts'
import type { ListOptions, RequestOptions } from '../options.ts'
import type { Transport } from '../transport.ts'
import { Orders } from './orders.ts'
import { pageOf } from './page-of.ts'

/** An offering is a token that is sold, with its price and how much of it is left. */
export class Offerings {
  readonly #transport: Transport
  /** What has been ordered of an offering. */
  readonly orders: Orders

  constructor(transport: Transport) {
    this.#transport = transport
    this.orders = new Orders(transport)
  }

  /** One offering; its `decimals` are what `toUnits` and `fromUnits` need. Scope: `offering.read`. */
  get(offeringId: string, options?: RequestOptions): Call<Offering> {
    return this.#transport.call('getOffering', { params: { offeringId }, options })
  }

  /** The offerings of your tenant. Scope: `offering.read`. */
  list(options?: ListOptions): List<Answers['listOfferings']> {
    return new List((page) => this.#transport.call('listOfferings', pageOf(page)), options)
  }
}
