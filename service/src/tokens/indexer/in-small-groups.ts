// Enough to keep the database busy while one answer is on its way, and few connections.
const atOnce = 4

/** Does it for each, a few at a time. When one fails no more are begun, and those under way are waited for. */
export async function inSmallGroups<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  let hasFailed = false
  const takeTurns = async () => {
    while (next < items.length && !hasFailed) {
      const place = next
      next += 1
      try {
        results[place] = await work(items[place] as Item)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, takeTurns))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  return results
}
