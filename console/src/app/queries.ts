import { QueryClient } from '@tanstack/react-query'
import { isTemporary, retryAfterOf } from '../api/problem.ts'

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Most error responses would not change by asking again.
      retry: (failures, error) => isTemporary(error) && failures < 4,
      // A busy service says how long to wait: repeating sooner would keep it busy.
      retryDelay: (failures, error) => Math.max(Math.min(500 * 2 ** failures, 4_000), retryAfterOf(error)),
      networkMode: 'always',
      // The stream of events says what has changed, also after a page was in the background.
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
    mutations: { networkMode: 'always' },
  },
})
