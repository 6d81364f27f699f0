import pLimit from 'p-limit'

const concurrencyMax = 8

/**
 * Sends the requests concurrently. Returns the responses in the order of the items. Use it only for requests that
 * rarely get past the check of their caller: some operations allow one request of a tenant at a time.
 */
export function concurrently<Item, Response>(
  items: readonly Item[],
  call: (item: Item) => Promise<Response>,
): Promise<Response[]> {
  return pLimit(concurrencyMax).map(items, call)
}
