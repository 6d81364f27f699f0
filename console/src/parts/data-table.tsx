import { Checkbox } from '@mantine/core'
import {
  columnVisibilityFeature,
  type RowSelectionState,
  rowSelectionFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import type { List } from '../api/list.ts'
import { useKeys } from '../app/keys.ts'
import { EmptyState } from './empty-state.tsx'
import { SkeletonRows, Spacer } from './filler-rows.tsx'
import { HeaderCell } from './header-cell.tsx'
import { NewRows } from './new-rows.tsx'
import { ProblemCard } from './problem-card.tsx'
import { SelectionBar } from './selection-bar.tsx'

/** One column. `cell` renders a row's value. */
export interface Column<Item> {
  readonly id: string
  readonly header: string
  readonly cell: (item: Item) => ReactNode
  readonly width?: number
  readonly isRight?: boolean
  /** The list can be turned around by this column. */
  readonly isSorted?: boolean
}

interface DataTableProps<Item> {
  readonly label: string
  readonly list: List<Item>
  readonly columns: readonly Column<Item>[]
  readonly idOf: (item: Item) => string
  /** Opens the row's page. */
  readonly onOpen?: (item: Item) => void
  /** Columns that are hidden, as a comma-separated text from the address. */
  readonly hidden?: string | undefined
  readonly direction?: string | undefined
  readonly onDirection?: (direction: 'asc' | 'desc') => void
  readonly emptyText: string
  /** What can be done with selected rows. Without it rows cannot be selected. */
  readonly selectionActions?: (items: readonly Item[], clear: () => void) => ReactNode
  /** As part of a page that scrolls itself. */
  readonly isShort?: boolean
}

const features = tableFeatures({ columnVisibilityFeature, rowSelectionFeature })
const noKeys = {}
const rowHeight = 37
/** Rows from the end at which the next page is loaded. */
const loadMoreRows = 15

/** A list with virtual rows, so that it stays quick however far a person scrolls. */
export function DataTable<Item extends object>(props: DataTableProps<Item>) {
  const { label, list, columns, idOf, onOpen, direction, onDirection, hidden = '', emptyText } = props
  const { selectionActions, isShort = false } = props
  const { t } = useTranslation()
  const frame = useRef<HTMLDivElement>(null)
  const [selection, setSelection] = useState<RowSelectionState>({})
  const [focused, setFocused] = useState(0)
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
  const shown = columns.filter(({ id }) => table.getColumn(id)?.getIsVisible())
  const { rows } = table.getRowModel()
  const { virtualizer, virtualRows, above, below } = useVirtualRows(frame, rows.length, list)
  const columnCount = shown.length + (selectionActions ? 1 : 0)
  const selected = rows.filter((row) => row.getIsSelected()).map((row) => row.original)

  function move(to: number): void {
    const index = Math.max(0, Math.min(rows.length - 1, to))
    setFocused(index)
    virtualizer.scrollToIndex(index)
    const row = () => frame.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)
    // At once, so that the next key already belongs to the row; later if it has to be rendered first.
    if (row()) row()?.focus({ preventScroll: true })
    else requestAnimationFrame(() => row()?.focus())
  }

  // From anywhere on the page to the row where the person was.
  const current = Math.min(focused, rows.length - 1)
  useKeys(isShort || rows.length === 0 ? noKeys : { j: () => move(current), k: () => move(current) })

  const onKey = (event: KeyboardEvent, index: number) => {
    const row = rows[index]
    runKey(event, {
      j: () => move(index + 1),
      ArrowDown: () => move(index + 1),
      k: () => move(index - 1),
      ArrowUp: () => move(index - 1),
      Enter: () => row && onOpen?.(row.original),
      e: () => row && onOpen?.(row.original),
      x: () => selectionActions && row?.toggleSelected(),
      ' ': () => selectionActions && row?.toggleSelected(),
    })
  }

  // Rows that are there stay: the banner says why they are not current.
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
          <colgroup>
            {selectionActions && <col style={{ width: 40 }} />}
            {shown.map(({ id, width }) => (
              <col key={id} style={width === undefined ? {} : { width }} />
            ))}
          </colgroup>
          <thead>
            <tr>
              {selectionActions && (
                <th scope="col">
                  <Checkbox
                    aria-label={t('parts.selectAll')}
                    checked={table.getIsAllRowsSelected()}
                    indeterminate={table.getIsSomeRowsSelected()}
                    onChange={table.getToggleAllRowsSelectedHandler()}
                  />
                </th>
              )}
              {shown.map((column) => (
                <HeaderCell key={column.id} {...column} direction={direction} onDirection={onDirection} />
              ))}
            </tr>
          </thead>
          <tbody>
            {list.isLoading && <SkeletonRows columnCount={columnCount} />}
            {above > 0 && <Spacer height={above} columnCount={columnCount} />}
            {virtualRows.map(({ index }) => {
              const row = rows[index]
              return (
                row && (
                  <TableRow
                    key={row.id}
                    row={row}
                    index={index}
                    columns={shown}
                    isFocusable={index === current}
                    isSelectable={selectionActions !== undefined}
                    isGone={list.changes?.goneIds.has(row.id) ?? false}
                    onOpen={onOpen}
                    onFocus={() => setFocused(index)}
                    onKeyDown={(event) => onKey(event, index)}
                  />
                )
              )
            })}
            {below > 0 && <Spacer height={below} columnCount={columnCount} />}
            {list.isLoadingMore && <SkeletonRows columnCount={columnCount} />}
          </tbody>
        </table>
        {isEmpty && <EmptyState text={emptyText} />}
      </div>
      {selectionActions && selected.length > 0 && (
        <SelectionBar count={selected.length} onClear={() => setSelection({})}>
          {selectionActions(selected, () => setSelection({}))}
        </SelectionBar>
      )}
    </>
  )
}

interface TableRowProps<Item> {
  readonly row: {
    readonly original: Item
    readonly getIsSelected: () => boolean
    readonly getToggleSelectedHandler: () => (event: unknown) => void
  }
  readonly index: number
  readonly columns: readonly Column<Item>[]
  readonly isFocusable: boolean
  readonly isSelectable: boolean
  /** No longer in the list, after a change by another person. */
  readonly isGone: boolean
  readonly onOpen: ((item: Item) => void) | undefined
  readonly onFocus: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

function TableRow<Item>(props: TableRowProps<Item>) {
  const { row, index, columns, isFocusable, isSelectable, isGone, onOpen, onFocus, onKeyDown } = props
  const { t } = useTranslation()
  const item = row.original
  return (
    <tr
      className={`row${onOpen ? ' clickable' : ''}${isGone ? ' gone' : ''}`}
      data-index={index}
      aria-rowindex={index + 2}
      tabIndex={isFocusable ? 0 : -1}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onClick={(event) => isOnRow(event) && onOpen?.(item)}
    >
      {isSelectable && (
        <td>
          <Checkbox
            aria-label={t('parts.selectRow')}
            checked={row.getIsSelected()}
            onChange={row.getToggleSelectedHandler()}
          />
        </td>
      )}
      {columns.map(({ id, cell, isRight }) => (
        <td key={id} {...(isRight && { className: 'right' })}>
          {cell(item)}
        </td>
      ))}
    </tr>
  )
}

/** The rows in sight, the heights of those above and below, and the next page when the end is near. */
function useVirtualRows(frame: RefObject<HTMLElement | null>, count: number, list: List<unknown>) {
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    // Before the frame has been measured.
    initialRect: { width: 1_000, height: 800 },
  })
  const virtualRows = virtualizer.getVirtualItems()
  const { hasMore, isLoadingMore, loadMore } = list
  const isNearEnd = count > 0 && (virtualRows.at(-1)?.index ?? 0) >= count - loadMoreRows
  const isDue = hasMore && !isLoadingMore && isNearEnd
  // biome-ignore lint/correctness/useExhaustiveDependencies: loadMore is new each time; the other two say when
  useEffect(() => {
    if (isDue) loadMore()
  }, [isDue, count])
  const above = virtualRows[0]?.start ?? 0
  const below = virtualizer.getTotalSize() - (virtualRows.at(-1)?.end ?? 0)
  return { virtualizer, virtualRows, above, below }
}

/** In a narrow window the table scrolls in its frame, instead of columns of no width. */
function minWidthOf(columns: readonly { readonly width?: number }[]): string {
  const fixed = columns.reduce((sum, { width = 0 }) => sum + width, 0)
  const free = columns.filter(({ width }) => width === undefined).length
  return `calc(${fixed}px + ${free} * var(--free-column))`
}

function runKey(event: KeyboardEvent, keys: Readonly<Record<string, () => void>>): void {
  const run = event.target === event.currentTarget ? keys[event.key] : undefined
  if (!run) return
  event.preventDefault()
  run()
}

/** Whether a click was meant for the row, not for a button in it or for a dialog that a button opened. */
function isOnRow({ target, currentTarget }: MouseEvent<HTMLElement>): boolean {
  return target instanceof Element && currentTarget.contains(target) && !target.closest('a, button, input')
}
