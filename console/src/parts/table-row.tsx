import { Checkbox } from '@mantine/core'
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowFocus } from './use-row-focus.ts'

interface TableRowProps<Item> {
  readonly row: {
    readonly original: Item
    readonly getIsSelected: () => boolean
    readonly toggleSelected: () => void
    readonly getToggleSelectedHandler: () => (event: unknown) => void
  }
  readonly index: number
  readonly columns: readonly {
    readonly id: string
    readonly cell: (item: Item) => ReactNode
    readonly isRight?: boolean
  }[]
  readonly isSelectable: boolean
  /** True if the row is no longer in the list, after a change by another person. */
  readonly isGone: boolean
  readonly focus: RowFocus
  readonly onOpen: ((item: Item) => void) | undefined
}

/** One row of a table, with its keyboard shortcuts. */
export function TableRow<Item>(props: TableRowProps<Item>) {
  const { row, index, columns, isSelectable, isGone, focus, onOpen } = props
  const { t } = useTranslation()
  const item = row.original
  return (
    <tr
      className={`row${onOpen ? ' clickable' : ''}${isGone ? ' gone' : ''}`}
      data-index={index}
      aria-rowindex={index + 2}
      tabIndex={index === focus.current ? 0 : -1}
      onFocus={() => focus.onFocus(index)}
      onKeyDown={(event) => runKey(event, keysOf(props))}
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

function keysOf<Item>({ row, index, isSelectable, focus, onOpen }: TableRowProps<Item>) {
  const down = () => focus.move(index + 1)
  const up = () => focus.move(index - 1)
  const open = () => onOpen?.(row.original)
  const select = () => {
    if (isSelectable) row.toggleSelected()
  }
  return { j: down, ArrowDown: down, k: up, ArrowUp: up, Enter: open, e: open, x: select, ' ': select }
}

function runKey(event: KeyboardEvent, keys: Readonly<Record<string, () => void>>): void {
  const run = event.target === event.currentTarget ? keys[event.key] : undefined
  if (!run) return
  event.preventDefault()
  run()
}

/** Returns true if a click was meant for the row, not for a button in it or a dialog opened from it. */
function isOnRow({ target, currentTarget }: MouseEvent<HTMLElement>): boolean {
  return target instanceof Element && currentTarget.contains(target) && !target.closest('a, button, input')
}
