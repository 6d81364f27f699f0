import { QueryClient } from '@tanstack/react-query'
import { isTemporary, retryAfterOf } from '../api/problem.ts'

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A retry would not change most error responses.
      retry: (failures, error) => isTemporary(error) && failures < 4,
      // A busy service says how long to wait. An earlier retry would keep it busy.
      retryDelay: (failures, error) => Math.max(Math.min(500 * 2 ** failures, 4_000), retryAfterOf(error)),
      networkMode: 'always',
      // The event stream reports changes, including those from while the page was in the background.
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
    mutations: { networkMode: 'always' },
  },
})
