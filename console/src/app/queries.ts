import { QueryClient } from '@tanstack/react-query'
import { Problem } from '../api/problem.ts'

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // An error response will not change by asking again; an unreachable service may come back.
      retry: (failures, error) => error instanceof Problem && error.status === 0 && failures < 3,
      retryDelay: (failures) => Math.min(500 * 2 ** failures, 4_000),
      networkMode: 'always',
      // The stream of events says what has changed, also after a page was in the background.
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
    mutations: { networkMode: 'always' },
  },
})
