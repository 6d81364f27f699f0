import { QueryClient } from '@tanstack/react-query'
import { isTemporary } from '../api/problem.ts'

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Most error responses would not change by asking again.
      retry: (failures, error) => isTemporary(error) && failures < 4,
      retryDelay: (failures) => Math.min(500 * 2 ** failures, 4_000),
      networkMode: 'always',
      // The stream of events says what has changed, also after a page was in the background.
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
    mutations: { networkMode: 'always' },
  },
})
