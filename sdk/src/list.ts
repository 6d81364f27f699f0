import type { Call } from './call.ts'
import type { Pagination } from './generated/schemas.ts'
import type { ListOptions, PageOptions } from './options.ts'

export interface Page<Item> {
  pagination: Pagination
  results: Item[]
}

type ItemOf<OfPage> = OfPage extends Page<infer Item> ? Item : never

// The API's maximum page size, so that iterating needs the fewest requests.
const limitDefault = 50

/**
 * A list to iterate with `for await` or to read page by page. Iteration goes from the oldest item to the newest. In
 * this order the offset of an item never changes, so each item is returned once even while others are added, and you
 * can resume at a stored offset.
 */
export class List<OfPage extends Page<unknown>> implements AsyncIterable<ItemOf<OfPage>> {
  readonly #fetch: (options: PageOptions) => Call<OfPage>
  readonly #options: ListOptions

  constructor(fetch: (options: PageOptions) => Call<OfPage>, options: ListOptions = {}) {
    this.#fetch = fetch
    this.#options = options
  }

  /** One whole page, including the members beside `results`. */
  page(options: PageOptions = {}): Call<OfPage> {
    return this.#fetch({ limit: limitDefault, direction: 'asc', ...this.#options, ...options })
  }

  /** Each item with its offset. To resume later, store the offset of the last processed item and start at the next. */
  async *entries(): AsyncGenerator<[offset: number, item: ItemOf<OfPage>], void, undefined> {
    let offset = this.#options.offset ?? 0
    while (true) {
      const { results, pagination } = await this.page({ offset })
      for (const item of results) {
        yield [offset, item as ItemOf<OfPage>]
        offset += 1
      }
      // An empty page does not advance the offset: without this check the loop would not end.
      if (pagination.next === null || results.length === 0) return
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<OfPage>, void, undefined> {
    for await (const [, item] of this.entries()) yield item
  }
}
