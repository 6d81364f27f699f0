import { Checkbox } from '@mantine/core'
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowFocus } from './use-row-focus.ts'

interface TableRowProps<Item> {
  readonly item: Item
  readonly index: number
  readonly columns: readonly {
    readonly id: string
    readonly cell: (item: Item) => ReactNode
    readonly isRight?: boolean
  }[]
  readonly isSelected: boolean
  /** Absent if rows cannot be selected. */
  readonly onSelect: (() => void) | undefined
  /** True if the row is no longer in the list, after a change by another person. */
  readonly isGone: boolean
  readonly focus: RowFocus
  readonly onOpen: ((item: Item) => void) | undefined
}

/** One row of a table, with its keyboard shortcuts. */
export function TableRow<Item>(props: TableRowProps<Item>) {
  const { item, index, columns, isSelected, onSelect, isGone, focus, onOpen } = props
  const { t } = useTranslation()
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
      {onSelect && (
        <td>
          <Checkbox aria-label={t('parts.selectRow')} checked={isSelected} onChange={onSelect} />
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

function keysOf<Item>({ item, index, onSelect, focus, onOpen }: TableRowProps<Item>) {
  const down = () => focus.move(index + 1)
  const up = () => focus.move(index - 1)
  const open = () => onOpen?.(item)
  const select = () => onSelect?.()
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
