import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'

/**
 * Work that waits for the person, by kind. The event stream keeps it current; polling catches work that only time
 * creates, such as deadlines.
 */
export const workQuery = queryOptions({
  queryKey: ['work'],
  queryFn: async () => (await api.get('/work')).work,
  staleTime: 30_000,
  refetchInterval: 60_000,
})
