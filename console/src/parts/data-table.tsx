import { Checkbox } from '@mantine/core'
import {
  columnVisibilityFeature,
  type RowSelectionState,
  rowSelectionFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { List } from '../api/list.ts'
import { useKeys } from '../app/keys.ts'
import { EmptyState } from './empty-state.tsx'
import { SkeletonRows, Spacer } from './filler-rows.tsx'
import { HeaderCell } from './header-cell.tsx'
import { NewRows } from './new-rows.tsx'
import { ProblemCard } from './problem-card.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { TableRow } from './table-row.tsx'
import { useRowFocus } from './use-row-focus.ts'

/** One column. `cell` renders a row's value. */
export interface Column<Item> {
  readonly id: string
  readonly header: string
  readonly cell: (item: Item) => ReactNode
  readonly width?: number
  readonly isRight?: boolean
  /** True if the list is sorted by this column, so that its order can be reversed. */
  readonly isSorted?: boolean
}

interface DataTableProps<Item> {
  readonly label: string
  readonly list: List<Item>
  readonly columns: readonly Column<Item>[]
  readonly idOf: (item: Item) => string
  /** Opens the row's page. */
  readonly onOpen?: (item: Item) => void
  /** Hidden columns, comma-separated, from the address. */
  readonly hidden?: string | undefined
  readonly direction?: string | undefined
  readonly onDirection?: (direction: 'asc' | 'desc') => void
  readonly emptyText: string
  /** Renders the actions for selected rows. Without it, rows cannot be selected. */
  readonly selectionActions?: (items: readonly Item[], clear: () => void) => ReactNode
  /** True if the table is part of a page that scrolls as a whole. */
  readonly isShort?: boolean
}

const features = tableFeatures({ columnVisibilityFeature, rowSelectionFeature })
const noKeys = {}
const rowHeight = 37
/** Number of rows before the end at which the next page loads. */
const loadMoreRows = 15

/** A list with virtual rows, so that it stays fast however far a person scrolls. */
export function DataTable<Item extends object>(props: DataTableProps<Item>) {
  const { label, list, onOpen, direction, onDirection, emptyText, selectionActions, isShort = false } = props
  const frame = useRef<HTMLDivElement>(null)
  const { table, shown, rows, selected, clear } = useSelectableTable(props)
  const { virtualizer, inSight, above, below } = useVirtualRows(frame, rows, list)
  const focus = useRowFocus(frame, rows.length, virtualizer.scrollToIndex)
  const isSelectable = selectionActions !== undefined
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
          <ColumnWidths columns={shown} isSelectable={isSelectable} />
          <TableHead columns={shown} direction={direction} onDirection={onDirection}>
            {isSelectable && <SelectAll table={table} />}
          </TableHead>
          <tbody>
            {list.isLoading && <SkeletonRows columnCount={columnCount} />}
            {above > 0 && <Spacer height={above} columnCount={columnCount} />}
            {inSight.map(({ row, index }) => (
              <TableRow
                key={row.id}
                row={row}
                index={index}
                columns={shown}
                isSelectable={isSelectable}
                isGone={list.changes?.goneIds.has(row.id) ?? false}
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
      {selectionActions && selected.length > 0 && (
        <SelectionBar count={selected.length} onClear={clear}>
          {selectionActions(selected, clear)}
        </SelectionBar>
      )}
    </>
  )
}

/** Returns the rows, the selected ones among them, and the visible columns. */
function useSelectableTable<Item extends object>({ list, columns, idOf, hidden = '' }: DataTableProps<Item>) {
  const [selection, setSelection] = useState<RowSelectionState>({})
  const columnVisibility = useMemo(() => Object.fromEntries(hidden.split(',').map((id) => [id, false])), [hidden])
  const definitions = useMemo(() => columns.map(({ id, header }) => ({ id, header })), [columns])
  const data = useMemo(() => [...list.items], [list.items])
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: idOf,
    state: { columnVisibility, rowSelection: selection },
    onRowSelectionChange: setSelection,
  })
  const { rows } = table.getRowModel()
  return {
    table,
    rows,
    shown: columns.filter(({ id }) => table.getColumn(id)?.getIsVisible()),
    selected: rows.filter((row) => row.getIsSelected()).map((row) => row.original),
    clear: () => setSelection({}),
  }
}

interface ColumnWidthsProps {
  readonly columns: readonly { readonly id: string; readonly width?: number }[]
  readonly isSelectable: boolean
}

function ColumnWidths({ columns, isSelectable }: ColumnWidthsProps) {
  return (
    <colgroup>
      {isSelectable && <col style={{ width: 40 }} />}
      {columns.map(({ id, width }) => (
        <col key={id} style={width === undefined ? {} : { width }} />
      ))}
    </colgroup>
  )
}

interface TableHeadProps<Item> {
  readonly columns: readonly Column<Item>[]
  readonly direction: string | undefined
  readonly onDirection: DataTableProps<Item>['onDirection'] | undefined
  /** Cell above the checkboxes of the rows. */
  readonly children: ReactNode
}

function TableHead<Item>({ columns, direction, onDirection, children }: TableHeadProps<Item>) {
  return (
    <thead>
      <tr>
        {children}
        {columns.map((column) => (
          <HeaderCell key={column.id} {...column} direction={direction} onDirection={onDirection} />
        ))}
      </tr>
    </thead>
  )
}

interface SelectAllProps {
  readonly table: {
    readonly getIsAllRowsSelected: () => boolean
    readonly getIsSomeRowsSelected: () => boolean
    readonly getToggleAllRowsSelectedHandler: () => (event: unknown) => void
  }
}

function SelectAll({ table }: SelectAllProps) {
  const { t } = useTranslation()
  return (
    <th scope="col">
      <Checkbox
        aria-label={t('parts.selectAll')}
        checked={table.getIsAllRowsSelected()}
        indeterminate={table.getIsSomeRowsSelected()}
        onChange={table.getToggleAllRowsSelectedHandler()}
      />
    </th>
  )
}

/** Returns the visible rows and the heights of those above and below. Loads the next page near the end. */
function useVirtualRows<Row>(frame: RefObject<HTMLElement | null>, rows: readonly Row[], list: List<unknown>) {
  const count = rows.length
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    // Used until the frame has been measured.
    initialRect: { width: 1_000, height: 800 },
  })
  const virtualRows = virtualizer.getVirtualItems()
  const { hasMore, isLoadingMore, loadMore } = list
  const isNearEnd = count > 0 && (virtualRows.at(-1)?.index ?? 0) >= count - loadMoreRows
  const isDue = hasMore && !isLoadingMore && isNearEnd
  useEffect(() => {
    if (isDue) loadMore()
    // oxlint-disable-next-line react/exhaustive-deps -- loadMore is new each time; the other two say when
  }, [isDue, count])
  const above = virtualRows[0]?.start ?? 0
  const below = virtualizer.getTotalSize() - (virtualRows.at(-1)?.end ?? 0)
  const inSight = virtualRows.flatMap(({ index }) => {
    const row = rows[index]
    return row ? [{ row, index }] : []
  })
  return { virtualizer, inSight, above, below }
}

/** Lets the table scroll in its frame in a narrow window, so that no column shrinks to nothing. */
function minWidthOf(columns: readonly { readonly width?: number }[]): string {
  const fixed = columns.reduce((sum, { width = 0 }) => sum + width, 0)
  const free = columns.filter(({ width }) => width === undefined).length
  return `calc(${fixed}px + ${free} * var(--free-column))`
}
