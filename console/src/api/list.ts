import { hashKey, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { isLiveRefetch } from './live-refetch.ts'
import { type ListChanges, useLiveRows } from './live-rows.ts'

/** One page of a list as the API returns it. */
export interface ListPage<Item> {
  readonly pagination: { readonly count: number; readonly is_count_exact: boolean; readonly next: string | null }
  readonly results: readonly Item[]
}

/** Returns a list of known items as its only page. */
export function onlyPage<Item>(results: readonly Item[]): ListPage<Item> {
  return { pagination: { count: results.length, is_count_exact: true, next: null }, results }
}

/** Query parameters that select a page. */
export interface PageParameters {
  readonly limit: number
  readonly cursor?: string
}

export interface List<Item> {
  readonly items: readonly Item[]
  /** Undefined while loading. `isExact` is false if the API stopped counting, which is shown as "10,000+". */
  readonly count: { readonly value: number; readonly isExact: boolean } | undefined
  readonly isLoading: boolean
  readonly isLoadingMore: boolean
  readonly problem: Error | null
  readonly hasMore: boolean
  readonly loadMore: () => void
  readonly reload: () => void
  /** Changes of a live update that the list does not show yet. */
  readonly changes?: ListChanges
}

const pageSize = 50

/**
 * Loads a list page by page. Only this code knows how pages are linked: `next` is a link built from the Host header, so
 * only its cursor is used. A live update changes the rows on the screen at once; rows it adds or removes wait.
 */
export function useList<Item>(
  key: readonly unknown[],
  fetchPage: (page: PageParameters) => Promise<ListPage<Item>>,
): List<Item> {
  const hash = hashKey(key)
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: async ({ pageParam }) => ({ ...(await fetchPage(pageParam)), isLive: isLiveRefetch(hash) }),
    initialPageParam: { limit: pageSize } as PageParameters,
    getNextPageParam: ({ pagination }) => nextPageOf(pagination.next),
    placeholderData: keepPreviousData,
  })
  const { data, isPending, isFetchingNextPage, error, hasNextPage, fetchNextPage, refetch } = query
  const pages = useMemo(() => data?.pages ?? [], [data])
  const { items, changes } = useLiveRows(hash, pages)
  const first = pages[0]?.pagination
  return {
    items,
    changes,
    count: first && { value: first.count, isExact: first.is_count_exact },
    isLoading: isPending,
    isLoadingMore: isFetchingNextPage,
    problem: error,
    hasMore: hasNextPage,
    loadMore: () => {
      if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
    },
    reload: () => {
      void refetch()
    },
  }
}

function nextPageOf(next: string | null): PageParameters | undefined {
  if (next === null) return undefined
  const cursor = new URL(next, location.origin).searchParams.get('cursor')
  return cursor === null ? undefined : { limit: pageSize, cursor }
}
