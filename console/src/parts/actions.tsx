import { Button } from '@mantine/core'
import type { TFunction } from 'i18next'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { DialogAction } from './action-dialog.tsx'
import type { ActionField } from './field-input.tsx'
import { useKeys } from './keys.ts'
import { useOfferedActions } from './use-offered-actions.ts'

const ActionDialog = lazy(async () => ({ default: (await import('./action-dialog.tsx')).ActionDialog }))
const MoreMenu = lazy(async () => ({ default: (await import('./more-menu.tsx')).MoreMenu }))

/** An action on an object. Screens leave out actions that the person's duties do not permit. */
export interface Action extends DialogAction {
  readonly id: string
}

/** Field for the person's reason, which the audit log shows. */
export function reasonField(t: TFunction): ActionField {
  return { name: 'reason', label: t('parts.reason'), kind: 'long', hint: t('parts.reasonHint') }
}

/** Leaves out the actions whose condition is not met. */
export function offeredActions<Offered extends Action>(actions: readonly (Offered | false | undefined)[]): Offered[] {
  return actions.filter((action) => !!action)
}

interface ActionsProps {
  readonly actions: readonly Action[]
  readonly isCompact?: boolean
  /** Further keys, with the ids of the actions that they start. */
  readonly keys?: Readonly<Record<string, string>>
}

const noKeys = {}

/** The first action as a button, the others in a menu. All of them are in the palette; `a` starts the first. */
export function Actions({ actions, isCompact = false, keys = noKeys }: ActionsProps) {
  const [openId, setOpenId] = useState<string>()
  const ids = actions.map(({ id }) => id).join(' ')
  const offered = useMemo(
    () => (isCompact ? [] : actions.map(({ id, label }) => ({ id, label, run: () => setOpenId(id) }))),
    // oxlint-disable-next-line react/exhaustive-deps -- actions are new each time; their ids say whether they have changed
    [ids, isCompact],
  )
  useOfferedActions(offered)
  const [primary, ...others] = actions
  const firstId = primary?.id
  const keyText = JSON.stringify(keys)
  const bindings = useMemo(() => {
    const known = Object.entries<string>({ ...(firstId && { a: firstId }), ...JSON.parse(keyText) })
    const own = isCompact ? [] : known.filter(([, id]) => ids.split(' ').includes(id))
    return Object.fromEntries(own.map(([key, id]) => [key, () => setOpenId(id)]))
  }, [firstId, isCompact, ids, keyText])
  useKeys(bindings)
  const open = actions.find(({ id }) => id === openId)
  if (!primary) return null
  return (
    <div className="line" style={{ flexWrap: 'nowrap' }} data-actions={ids}>
      <Button
        variant={isCompact ? 'transparent' : primary.isDangerous || primary.isNeutral ? 'default' : 'filled'}
        size={isCompact ? 'compact-xs' : 'xs'}
        {...(isCompact && { className: 'compact-action', fw: 500, c: 'var(--text-strong)' })}
        style={{ flexShrink: 0 }}
        onClick={() => setOpenId(primary.id)}
      >
        {primary.label}
      </Button>
      <Suspense fallback={others.length > 0 && <span aria-busy style={{ width: isCompact ? 22 : 30 }} />}>
        {others.length > 0 && <MoreMenu actions={others} isCompact={isCompact} onChoose={setOpenId} />}
      </Suspense>
      <Suspense>{open && <ActionDialog key={open.id} action={open} onClose={() => setOpenId(undefined)} />}</Suspense>
    </div>
  )
}
