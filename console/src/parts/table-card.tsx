import type { ReactNode } from 'react'
import type { Action } from './actions.tsx'
import { Card } from './card.tsx'
import { AnyTable, type DataTableProps, type RowId } from './data-table.tsx'

interface TableCardProps<Item> extends Omit<DataTableProps<Item>, 'label' | 'isShort'> {
  readonly title: string
  /** The title with a link to the whole list. */
  readonly heading?: ReactNode
  readonly actions?: readonly Action[]
  /** Shown above the table. */
  readonly children?: ReactNode
}

/** A card with a table that scrolls with its page. */
export function TableCard<Item extends object>(props: TableCardProps<Item> & RowId<Item>) {
  const { title, heading = title, actions, children, ...others }: TableCardProps<Item> = props
  const table = { ...others, label: title, isShort: true }
  return (
    <Card title={heading} {...(actions && { actions })}>
      {children}
      <AnyTable {...table} />
    </Card>
  )
}
