import type { Event } from '@investor-token/sdk'

/** A coupon, dividend or redemption that is not paid yet. */
export interface Announcement {
  readonly distributionId: string
  readonly offeringId: string
  readonly kind: string
  readonly payOn: string
  /** Null if a total is shared instead. */
  readonly ratePerToken: string | null
  readonly currency: string
}

/**
 * Distributions that were announced while the shop runs. Only events announce them: an investor's entitlements appear
 * once they are paid. A shop with a database stores them.
 */
export class Announcements {
  readonly #byId = new Map<string, Announcement>()

  /** Idempotent: an event may arrive both by webhook and by polling. */
  apply({ type, data }: Pick<Event, 'type' | 'data'>): void {
    const id = String(data['distribution_id'])
    if (type === 'distribution.withdrawn') this.#byId.delete(id)
    if (type !== 'distribution.announced') return
    const rate = data['rate_per_token']
    this.#byId.set(id, {
      distributionId: id,
      offeringId: String(data['offering_id']),
      kind: String(data['kind']),
      payOn: String(data['pay_on']),
      ratePerToken: typeof rate === 'string' ? rate : null,
      currency: String(data['currency']),
    })
  }

  /** Newest first. */
  ofOfferings(offeringIds: ReadonlySet<string>): Announcement[] {
    return [...this.#byId.values()].filter(({ offeringId }) => offeringIds.has(offeringId)).toReversed()
  }
}
