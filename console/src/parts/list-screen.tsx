import type { ReactNode } from 'react'
import { type List, type ListPage, type PageParameters, useList } from '../api/list.ts'
import { AnyTable, type DataTableProps, type RowId } from './data-table.tsx'
import type { Filter } from './filter.ts'
import { ListBar } from './list-bar.tsx'
import type { ListSearch } from './list-search.ts'
import { PageTitle } from './page-title.tsx'
import { useSetSearch } from './use-set-search.ts'

interface ListScreenProps<Item>
  extends Omit<DataTableProps<Item>, 'label' | 'hidden' | 'direction' | 'onDirection' | 'isShort'> {
  readonly title: string
  /** Parameters of the address. */
  readonly search: ListSearch
  readonly filters: readonly Filter[]
  /** The id of the list operation, for saved views. */
  readonly operation?: string
  /** Shown beside the title. */
  readonly aside?: ReactNode
  /** Shown between the title and the filters. */
  readonly children?: ReactNode
}

/** A list that fills the page, with its count, filters and columns. The address stores what the person chose. */
export function ListScreen<Item extends object>(props: ListScreenProps<Item> & RowId<Item>) {
  const { title, search, filters, operation, aside, children, ...others }: ListScreenProps<Item> = props
  const setSearch = useSetSearch()
  const table = {
    ...others,
    label: title,
    hidden: search.hide,
    direction: search.direction,
    onDirection: (direction: 'asc' | 'desc') => setSearch({ direction }),
  }
  return (
    <div className="page page-list">
      <PageTitle title={title} count={table.list.count}>
        {aside}
      </PageTitle>
      {children}
      <ListBar
        {...(operation && { list: operation })}
        filters={filters}
        columns={table.columns}
        search={search}
        onSearch={setSearch}
      />
      <AnyTable {...table} />
    </div>
  )
}

/** Loads a list with the filters of the address as query parameters. The API checks their values. */
export function useFilteredList<Item>(
  name: string,
  search: ListSearch,
  fetchPage: (query: PageParameters) => Promise<ListPage<Item>>,
): List<Item> {
  // Hidden columns are not filters.
  const filters = { ...search, hide: undefined }
  return useList([name, filters], (page) => fetchPage({ ...filters, ...page }))
}
