import pLimit from 'p-limit'

const concurrencyMax = 8

/**
 * Returns the responses in the order of the items. Only for requests of which few get past the check of their caller: some
 * operations allow one request of a tenant at a time.
 */
export function concurrently<Item, Response>(
  items: readonly Item[],
  call: (item: Item) => Promise<Response>,
): Promise<Response[]> {
  return pLimit(concurrencyMax).map(items, call)
}
