import type { ReactNode } from 'react'
import { type Action, Actions } from './actions.tsx'
import { Copied } from './copied.tsx'
import { Money } from './money.tsx'
import { Time } from './time.tsx'
import { Units } from './units.tsx'

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

// Columns that look the same in every list. The last parameter reads their value from a row.

type Reader<Item, Value> = (item: Item) => Value

/** Time ago or ahead. The list may be sorted by it. */
export function timeColumn<Item>(
  id: string,
  header: string,
  timeOf: Reader<Item, string | null>,
  more: Pick<Column<Item>, 'width' | 'isSorted'> = {},
): Column<Item> {
  return { id, header, width: 140, ...more, cell: (item) => <Time time={timeOf(item)} isRelative /> }
}

/** Amount in the currency of its row. */
export function moneyColumn<Item extends { readonly currency: string }>(
  id: string,
  header: string,
  width: number,
  amountOf: Reader<Item, string>,
): Column<Item> {
  return {
    id,
    header,
    width,
    isRight: true,
    cell: (item) => <Money amount={amountOf(item)} currency={item.currency} />,
  }
}

export function unitsColumn<Item>(
  id: string,
  header: string,
  width: number,
  unitsOf: Reader<Item, Parameters<typeof Units>[0]>,
): Column<Item> {
  return { id, header, width, isRight: true, cell: (item) => <Units {...unitsOf(item)} /> }
}

/** Actions on a row, the first as a button. */
export function actionsColumn<Item>(
  header: string,
  width: number,
  actionsOf: Reader<Item, readonly Action[]>,
): Column<Item> {
  return { id: 'actions', header, width, cell: (item) => <Actions actions={actionsOf(item)} isCompact /> }
}

/** Text that a narrow column cuts. It is whole on hover. */
export function textColumn<Item>(
  id: string,
  header: string,
  textOf: Reader<Item, string>,
  className?: 'mono',
): Column<Item> {
  const cell = (item: Item) => (
    <span className={className} title={textOf(item)}>
      {textOf(item)}
    </span>
  )
  return { id, header, cell }
}

/** Number or amount, aligned on the right. */
export function figureColumn<Item>(
  id: string,
  header: string,
  width: number,
  figureOf: Reader<Item, ReactNode>,
): Column<Item> {
  return { id, header, width, isRight: true, cell: figureOf }
}

/** Id, address or hash, which a click copies. */
export function copiedColumn<Item>(
  id: string,
  header: string,
  width: number,
  textOf: Reader<Item, string>,
): Column<Item> {
  return { id, header, width, cell: (item) => <Copied text={textOf(item)} /> }
}
