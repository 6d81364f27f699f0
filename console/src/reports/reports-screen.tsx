import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useNameOf } from '../api/people.ts'
import { Actions } from '../parts/actions.tsx'
import { actionsColumn, type Column, figureColumn, timeColumn } from '../parts/columns.tsx'
import { optionsOf } from '../parts/filter.ts'
import { ListScreen, useFilteredList } from '../parts/list-screen.tsx'
import { State, type Tone } from '../parts/state.tsx'
import { sizeText } from '../text/format.ts'
import { useExportActions, useNewExport } from './export-actions.ts'

type Export = Schemas['Export']

const route = getRouteApi('/reports')
const states: readonly Export['state'][] = ['running', 'done', 'failed', 'cancelled', 'expired']
const tones: Readonly<Record<Export['state'], Tone>> = {
  running: 'progress',
  done: 'done',
  failed: 'failed',
  cancelled: 'waiting',
  expired: 'waiting',
}

/** Exports: who started them, how far they are, and until when they can be downloaded. */
export function ReportsScreen() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const list = useFilteredList('exports', search, (query) => api.get('/exports', { query }))
  const create = useNewExport()
  const columns = useColumns()
  return (
    <ListScreen
      title={t('nav.reports')}
      list={list}
      columns={columns}
      search={search}
      filters={[{ name: 'state', label: t('orders.status'), options: optionsOf(states) }]}
      emptyText={t('reports.empty')}
      aside={<Actions actions={[create]} />}
    />
  )
}

function useColumns(): Column<Export>[] {
  const { t, i18n } = useTranslation()
  const nameOf = useNameOf()
  const actionsOf = useExportActions()
  return [
    { id: 'kind', header: t('settlement.kind'), width: 140, cell: ({ kind }) => t(`reports.kinds.${kind}`) },
    { id: 'state', header: t('orders.status'), width: 160, cell: (one) => <ExportState one={one} /> },
    figureColumn('rows', t('reports.rows'), 70, ({ row_count: count }) =>
      new Intl.NumberFormat(i18n.language).format(count),
    ),
    figureColumn('size', t('reports.size'), 90, ({ byte_count: n }) => sizeText(n)),
    {
      id: 'personal',
      header: t('reports.personal'),
      width: 120,
      cell: ({ with_personal_data: isPersonal }) => (isPersonal ? t('parts.yes') : t('parts.no')),
    },
    { id: 'by', header: t('reports.madeBy'), cell: ({ created_by: id }) => nameOf(id) },
    timeColumn('created', t('orders.created'), (one) => one.created_at, { isSorted: true }),
    timeColumn('expires', t('reports.until'), (one) => one.expires_at),
    actionsColumn(t('parts.actions'), 130, actionsOf),
  ]
}

/** State of an export. Polls a running one until it ends, then reloads the list. */
function ExportState({ one }: { one: Export }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { data = one } = useQuery({
    queryKey: ['export', one.id],
    queryFn: () => api.get('/exports/{exportId}', { path: { exportId: one.id } }),
    enabled: one.state === 'running',
    refetchInterval: ({ state }) => (state.data && state.data.state !== 'running' ? false : 1_000),
  })
  const hasEnded = one.state === 'running' && data.state !== 'running'
  useEffect(() => {
    if (hasEnded) void client.invalidateQueries({ queryKey: ['exports'] })
  }, [hasEnded, client])
  return (
    <span className="line">
      <State state={data.state} tone={tones[data.state]} label={t(`reports.states.${data.state}`)} />
      {data.state === 'running' && (
        <span className="small muted">{t('reports.written', { count: data.row_count })}</span>
      )}
    </span>
  )
}
