import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { BulkAction, NamedBulkAction } from './bulk-action.ts'
import { useKeys } from './keys.ts'

const BulkDialog = lazy(async () => ({ default: (await import('./bulk-dialog.tsx')).BulkDialog }))

interface BulkActionsProps<Item> {
  readonly actions: readonly BulkAction<Item>[]
  /** Number of selected rows, including those that do not permit the action. */
  readonly selectedCount: number
  readonly nameOf: (item: Item) => string
  readonly onDone: () => void
}

/** Buttons of the selection bar; the key `a` presses the first. Leaves out actions that no selected row permits. */
export function BulkActions<Item extends { readonly id: string }>({
  actions,
  selectedCount,
  nameOf,
  onDone,
}: BulkActionsProps<Item>) {
  // Stays the same while the dialog is open, although finished items change the rows behind it.
  const [open, setOpen] = useState<NamedBulkAction>()
  const named = ({ items, run, ...action }: BulkAction<Item>): NamedBulkAction => ({
    ...action,
    rows: items.map((item) => ({ id: item.id, name: nameOf(item) })),
    send: (key, [from, to], values) => run(key, items.slice(from, to), values),
  })
  const possible = actions.filter(({ items }) => items.length > 0)
  const [first] = possible
  useKeys(first ? { a: () => setOpen(named(first)) } : {})
  return (
    <>
      {possible.map((action) => (
        <Button
          key={action.id}
          variant={action.isDangerous ? 'default' : 'filled'}
          onClick={() => setOpen(named(action))}
        >{`${action.label} (${action.items.length})`}</Button>
      ))}
      <Suspense>
        {open && (
          <BulkDialog
            action={open}
            leftOut={selectedCount - open.rows.length}
            onClose={(isChanged) => {
              setOpen(undefined)
              if (isChanged) onDone()
            }}
          />
        )}
      </Suspense>
    </>
  )
}
