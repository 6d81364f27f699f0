import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Hashes of queries that are being fetched because of an event, not because of something the person did. */
const live = new Set<string>()
/** Number of full reloads under way that the person's own actions have started. */
let personal = 0

export function isLiveRefetch(queryHash: string): boolean {
  return live.has(queryHash)
}

/** Fetches the queries on the screen again and marks them, so that lists do not move rows under the cursor. */
export async function refetchLive(client: QueryClient, queryKey: QueryKey): Promise<void> {
  const hashes = client
    .getQueryCache()
    .findAll({ queryKey, type: 'active' })
    .map(({ queryHash }) => queryHash)
  // This fetch replaces one whose result the person expects to see.
  if (personal === 0) for (const hash of hashes) live.add(hash)
  await client.invalidateQueries({ queryKey })
  for (const hash of hashes) live.delete(hash)
}

/** Fetches everything again after an action of the person, who expects to see its result in place. */
export async function refetchAll(client: QueryClient): Promise<void> {
  live.clear()
  personal += 1
  try {
    await client.invalidateQueries()
  } finally {
    personal -= 1
  }
}
