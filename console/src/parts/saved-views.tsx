import { Button } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMe } from '../api/me.ts'
import type { DialogAction } from './action-dialog.tsx'
import { MoreMenu } from './more-menu.tsx'

type View = Schemas['SavedView']
type Search = Readonly<Record<string, string | undefined>>

const ActionDialog = lazy(async () => ({ default: (await import('./action-dialog.tsx')).ActionDialog }))

interface SavedViewsProps {
  /** Id of the list operation that the filters belong to. */
  readonly list: string
  readonly search: Search
  readonly onSearch: (change: Search) => void
}

/** Named filters of a list as tabs: the person's own, and those that colleagues share. */
export function SavedViews({ list, search, onSearch }: SavedViewsProps) {
  const { t } = useTranslation()
  const me = useMe()
  const [open, setOpen] = useState<DialogAction>()
  const { data } = useQuery({
    queryKey: ['saved-views', list],
    queryFn: () => api.get('/saved-views', { query: { list, limit: 100 } }),
    staleTime: 300_000,
  })
  const views = (data?.results ?? []).toSorted((one, other) => one.name.localeCompare(other.name))
  const current = filtersOf(search)
  const chosen = views.find(({ filters }) => isSame(filters, current))
  const isMine = chosen?.user_id === me.user.id
  const actions = useViewActions(list)
  const show = (filters: View['filters']) => {
    const cleared = Object.fromEntries(Object.keys(search).map((name) => [name, undefined]))
    onSearch({ ...cleared, ...Object.fromEntries(filters.map(({ name, value }) => [name, value])) })
  }
  if (views.length === 0 && current.length === 0) return null
  const changes = chosen && isMine ? actions.of(chosen) : []
  return (
    <div className="spread">
      <nav className="tabs views" aria-label={t('views.views')}>
        <ViewTab name={t('views.all')} isChosen={current.length === 0} onChoose={() => show([])} />
        {views.map((view) => (
          <ViewTab
            key={view.id}
            name={view.is_shared && view.user_id !== me.user.id ? t('views.shared', { name: view.name }) : view.name}
            isChosen={view === chosen}
            onChoose={() => show(view.filters)}
          />
        ))}
      </nav>
      <div className="line">
        {!chosen && current.length > 0 && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            leftSection={<IconBookmark size={14} />}
            onClick={() => setOpen(actions.save(current))}
          >
            {t('views.save')}
          </Button>
        )}
        {changes.length > 0 && (
          <MoreMenu actions={changes} isCompact onChoose={(id) => setOpen(changes.find((one) => one.id === id))} />
        )}
      </div>
      <Suspense>{open && <ActionDialog key={open.label} action={open} onClose={() => setOpen(undefined)} />}</Suspense>
    </div>
  )
}

function ViewTab({ name, isChosen, onChoose }: { name: string; isChosen: boolean; onChoose: () => void }) {
  return (
    <button type="button" className={isChosen ? 'active' : ''} aria-current={isChosen} onClick={onChoose}>
      {name}
    </button>
  )
}

const filtersOf = (search: Search) =>
  Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))

function isSame(one: View['filters'], other: View['filters']): boolean {
  const text = (filters: View['filters']) =>
    filters
      .map(({ name, value }) => `${name}=${value}`)
      .toSorted()
      .join('&')
  return text(one) === text(other)
}

/** Dialogs that save, rename, share and delete views. */
function useViewActions(list: string) {
  const { t } = useTranslation()
  const nameField = (initial: string) => ({ name: 'name', label: t('views.name'), kind: 'text', initial }) as const
  const sharing = {
    name: 'is_shared',
    label: t('views.visible'),
    kind: 'choice',
    options: [
      { value: 'false', label: t('views.onlyMe') },
      { value: 'true', label: t('views.everybody') },
    ],
  } as const
  return {
    save: (filters: View['filters']): DialogAction => ({
      label: t('views.save'),
      consequence: t('views.saveText'),
      fields: [nameField(''), { ...sharing, initial: 'false' }],
      run: (_key, values) => {
        const body = { name: values['name'] ?? '', list, filters, is_shared: values['is_shared'] === 'true' }
        return api.post('/saved-views', { body })
      },
      done: t('views.saved'),
    }),
    of: ({ id, name, is_shared: isShared }: View): (DialogAction & { id: string })[] => [
      {
        id: 'change',
        label: t('views.change'),
        consequence: t('views.changeText'),
        fields: [nameField(name), { ...sharing, initial: String(isShared) }],
        run: (_key, values) =>
          api.patch('/saved-views/{viewId}', {
            path: { viewId: id },
            body: { name: values['name'] ?? '', is_shared: values['is_shared'] === 'true' },
          }),
        done: t('views.saved'),
      },
      {
        id: 'delete',
        label: t('views.delete'),
        isDangerous: true,
        consequence: t('views.deleteText', { name }),
        run: () => api.post('/saved-views/{viewId}/delete', { path: { viewId: id } }),
        done: t('views.deleted'),
      },
    ],
  }
}
