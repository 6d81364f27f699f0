import { Checkbox } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { List } from '../api/list.ts'
import type { Column } from './columns.tsx'
import { EmptyState } from './empty-state.tsx'
import { SkeletonRows, Spacer } from './filler-rows.tsx'
import { HeaderCell } from './header-cell.tsx'
import { useKeys } from './keys.ts'
import { NewRows } from './new-rows.tsx'
import { ProblemCard } from './problem-card.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { TableRow } from './table-row.tsx'
import { useRowFocus } from './use-row-focus.ts'
import { type Selection, useSelection } from './use-selection.ts'

export interface DataTableProps<Item> {
  readonly label: string
  readonly list: List<Item>
  readonly columns: readonly Column<Item>[]
  /** Returns the key of a row without an `id`. */
  readonly idOf?: ((item: Item) => string) | undefined
  /** Opens the row's page. */
  readonly onOpen?: (item: Item) => void
  /** Hidden columns, comma-separated, from the address. */
  readonly hidden?: string | undefined
  readonly direction?: string | undefined
  readonly onDirection?: (direction: 'asc' | 'desc') => void
  readonly emptyText: string
  /** Renders the actions for selected rows. Without it, rows cannot be selected. */
  readonly selectionActions?: false | ((items: readonly Item[], clear: () => void) => ReactNode)
  /** True if the table is part of a page that scrolls as a whole. */
  readonly isShort?: boolean
}

/** Requires `idOf` for rows without an `id`. */
export type RowId<Item> = Item extends { readonly id: string } ? unknown : { readonly idOf: (item: Item) => string }

const noKeys = {}
const rowHeight = 37
/** Number of rows before the end at which the next page loads. */
const loadMoreRows = 15

/** A list with virtual rows, so that it stays fast however far a person scrolls. */
export const DataTable: <Item extends object>(props: DataTableProps<Item> & RowId<Item>) => ReactNode = AnyTable

/** The table, for parts that have checked `idOf`. */
export function AnyTable<Item extends object>(props: DataTableProps<Item>) {
  const { label, list, columns, onOpen, hidden = '', emptyText, selectionActions, isShort = false } = props
  const { idOf = (item) => (item as { id: string }).id } = props
  const frame = useRef<HTMLDivElement>(null)
  const rows = list.items
  const shown = columns.filter(({ id }) => !hidden.split(',').includes(id))
  const selection = useSelection(rows, idOf)
  const { virtualizer, inSight, above, below } = useVirtualRows(frame, list)
  const focus = useRowFocus(frame, rows.length, virtualizer.scrollToIndex)
  const isSelectable = !!selectionActions
  const columnCount = shown.length + (isSelectable ? 1 : 0)
  useKeys(isShort || rows.length === 0 ? noKeys : { j: focus.restore, k: focus.restore })

  // Loaded rows stay: the connection banner explains why they are not current.
  if (list.problem && rows.length === 0) return <ProblemCard problem={list.problem} retry={list.reload} />
  const isEmpty = !list.isLoading && rows.length === 0
  if (isEmpty && isShort) return <EmptyState text={emptyText} />
  return (
    <>
      <div className={`table-frame${isShort ? ' table-frame-short' : ''}`} ref={frame}>
        <NewRows changes={list.changes} />
        <table
          className="table"
          style={{ minWidth: minWidthOf(shown) }}
          aria-label={label}
          aria-busy={list.isLoading}
          aria-rowcount={list.count?.value ?? -1}
        >
          <TableHead columns={shown} direction={props.direction} onDirection={props.onDirection}>
            {isSelectable && <SelectAll selection={selection} count={rows.length} />}
          </TableHead>
          <tbody>
            {list.isLoading && <SkeletonRows columnCount={columnCount} />}
            {above > 0 && <Spacer height={above} columnCount={columnCount} />}
            {inSight.map(({ item, index }) => (
              <TableRow
                key={idOf(item)}
                item={item}
                index={index}
                columns={shown}
                isSelected={selection.ids.has(idOf(item))}
                onSelect={isSelectable ? () => selection.toggle(idOf(item)) : undefined}
                isGone={list.changes?.goneIds.has(idOf(item)) ?? false}
                focus={focus}
                onOpen={onOpen}
              />
            ))}
            {below > 0 && <Spacer height={below} columnCount={columnCount} />}
            {list.isLoadingMore && <SkeletonRows columnCount={columnCount} />}
          </tbody>
        </table>
        {isEmpty && <EmptyState text={emptyText} />}
      </div>
      {selectionActions && selection.items.length > 0 && (
        <SelectionBar count={selection.items.length} onClear={selection.clear}>
          {selectionActions(selection.items, selection.clear)}
        </SelectionBar>
      )}
    </>
  )
}

interface TableHeadProps<Item> extends Pick<DataTableProps<Item>, 'columns' | 'direction'> {
  readonly onDirection: DataTableProps<Item>['onDirection'] | undefined
  /** Cell above the checkboxes of the rows. */
  readonly children: ReactNode
}

function TableHead<Item>({ columns, direction, onDirection, children }: TableHeadProps<Item>) {
  return (
    <>
      <colgroup>
        {children && <col style={{ width: 40 }} />}
        {columns.map(({ id, width }) => (
          <col key={id} style={width === undefined ? {} : { width }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {children}
          {columns.map((column) => (
            <HeaderCell key={column.id} {...column} direction={direction} onDirection={onDirection} />
          ))}
        </tr>
      </thead>
    </>
  )
}

function SelectAll({ selection, count }: { selection: Selection<unknown>; count: number }) {
  const { t } = useTranslation()
  const isAll = count > 0 && selection.items.length === count
  return (
    <th scope="col">
      <Checkbox
        aria-label={t('parts.selectAll')}
        checked={isAll}
        indeterminate={!isAll && selection.items.length > 0}
        onChange={selection.toggleAll}
      />
    </th>
  )
}

/** Returns the rows in sight and the heights of those above and below. Loads the next page near the end. */
function useVirtualRows<Item>(frame: RefObject<HTMLElement | null>, list: List<Item>) {
  const { items, hasMore, isLoadingMore, loadMore } = list
  const count = items.length
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    // Used until the frame has been measured.
    initialRect: { width: 1_000, height: 800 },
  })
  const virtualRows = virtualizer.getVirtualItems()
  const isNearEnd = count > 0 && (virtualRows.at(-1)?.index ?? 0) >= count - loadMoreRows
  const isDue = hasMore && !isLoadingMore && isNearEnd
  useEffect(() => {
    if (isDue) loadMore()
    // oxlint-disable-next-line react/exhaustive-deps -- loadMore is new each time; the other two say when
  }, [isDue, count])
  const above = virtualRows[0]?.start ?? 0
  const below = virtualizer.getTotalSize() - (virtualRows.at(-1)?.end ?? 0)
  const inSight = virtualRows.flatMap(({ index }) => {
    const item = items[index]
    return item ? [{ item, index }] : []
  })
  return { virtualizer, inSight, above, below }
}

/** Lets the table scroll in its frame in a narrow window, so that no column shrinks to nothing. */
function minWidthOf(columns: readonly { readonly width?: number }[]): string {
  const fixed = columns.reduce((sum, { width = 0 }) => sum + width, 0)
  const free = columns.filter(({ width }) => width === undefined).length
  return `calc(${fixed}px + ${free} * var(--free-column))`
}
