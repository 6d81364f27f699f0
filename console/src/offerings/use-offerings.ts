import { useQuery } from '@tanstack/react-query'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'

type Offering = Schemas['OperatorOffering']

/** Returns the newest offerings, to show their names and to choose from. */
export function useOfferings(): readonly Offering[] {
  const { data } = useQuery({
    queryKey: ['offerings', 'newest'],
    queryFn: () => api.get('/offerings', { query: { limit: 100 } }),
  })
  return data?.results ?? []
}

/** Returns the offerings whose holders the person may pay. */
export function usePayableOfferings(): readonly Offering[] {
  const may = useMay()
  return useOfferings().filter(({ id, token_address: token }) => token !== null && may('money', id))
}
