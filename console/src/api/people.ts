import { useQuery } from '@tanstack/react-query'
import { api } from './client.ts'

/** Returns a function that finds the name of a team member, for lists that contain ids only. */
export function useNameOf(): (userId: string | null) => string {
  const { data } = useQuery({
    queryKey: ['users', 'names'],
    queryFn: () => api.get('/users', { query: { limit: 100 } }),
    staleTime: 300_000,
  })
  const names = new Map(data?.results.map(({ id, name }) => [id, name]))
  return (userId) => (userId === null ? '–' : (names.get(userId) ?? `${userId.slice(0, 8)}…`))
}
