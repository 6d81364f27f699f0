import pLimit from 'p-limit'

/** Keeps the database busy during a round trip, with few connections. */
const concurrency = 4

/** Maps items concurrently. After a failure, starts no further item and rejects once the running ones have ended. */
export async function mapLimited<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const limit = pLimit({ concurrency, rejectOnClear: true })
  const results = await Promise.allSettled(
    items.map((item) =>
      limit(() => work(item)).catch((error: unknown) => {
        limit.clearQueue()
        throw error
      }),
    ),
  )
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}
