import type { Call } from './call.ts'
import type { Pagination } from './generated/schemas.ts'
import type { ListOptions, PageOptions } from './options.ts'

export interface Page<Item> {
  pagination: Pagination
  results: Item[]
}

type ItemOf<OfPage> = OfPage extends Page<infer Item> ? Item : never

// The most that a page may have, so that a walk needs the fewest requests.
const limitDefault = 50

/**
 * A list that can be walked (`for await`) or read by pages. A walk goes from the oldest to the newest, where the offset
 * of an element never changes: so each element comes once however many are added meanwhile, and a walk can be taken up
 * again at an offset that you have kept.
 */
export class List<OfPage extends Page<unknown>> implements AsyncIterable<ItemOf<OfPage>> {
  readonly #fetch: (options: PageOptions) => Call<OfPage>
  readonly #options: ListOptions

  constructor(fetch: (options: PageOptions) => Call<OfPage>, options: ListOptions = {}) {
    this.#fetch = fetch
    this.#options = options
  }

  /** One page, with what stands beside its results. */
  page(options: PageOptions = {}): Call<OfPage> {
    return this.#fetch({ limit: limitDefault, direction: 'asc', ...this.#options, ...options })
  }

  /** Each element with its offset: keep the last one that you have worked on, and go on at the one after it. */
  async *entries(): AsyncGenerator<[offset: number, item: ItemOf<OfPage>], void, undefined> {
    let offset = this.#options.offset ?? 0
    while (true) {
      const { results, pagination } = await this.page({ offset })
      for (const item of results) {
        yield [offset, item as ItemOf<OfPage>]
        offset += 1
      }
      // Without an element there would be no way forward, whatever the page says.
      if (pagination.next === null || results.length === 0) return
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<OfPage>, void, undefined> {
    for await (const [, item] of this.entries()) yield item
  }
}
