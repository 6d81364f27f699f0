import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf } from '../api/client.ts'

/**
 * What waits for the person, by kind. The stream of events makes it current; the interval is for work that time alone
 * brings about, such as deadlines.
 */
export const workQuery = queryOptions({
  queryKey: ['work'],
  queryFn: async () => (await bodyOf(api.GET('/work'))).work,
  staleTime: 30_000,
  refetchInterval: 60_000,
})
