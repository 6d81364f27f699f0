import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useNameOf } from '../api/people.ts'
import { useSetSearch } from '../app/use-set-search.ts'
import { Actions } from '../parts/actions.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { optionsOf } from '../parts/filter.ts'
import { ListBar } from '../parts/list-bar.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { State, type Tone } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
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
  const setSearch = useSetSearch()
  const { hide, ...filters } = search
  const list = useList<Export>(['exports', filters], (page) =>
    bodyOf(api.GET('/exports', { params: { query: { ...(filters as object), ...page } } })),
  )
  const create = useNewExport()
  const columns = useColumns()
  return (
    <div className="page page-list">
      <PageTitle title={t('nav.reports')} count={list.count}>
        <Actions actions={[create]} />
      </PageTitle>
      <ListBar
        columns={columns}
        search={search}
        onSearch={setSearch}
        filters={[{ name: 'state', label: t('orders.status'), options: optionsOf(states) }]}
      />
      <DataTable
        label={t('nav.reports')}
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        hidden={hide}
        direction={search.direction}
        onDirection={(direction) => setSearch({ direction })}
        emptyText={t('reports.empty')}
      />
    </div>
  )
}

function useColumns(): Column<Export>[] {
  const { t, i18n } = useTranslation()
  const nameOf = useNameOf()
  const actionsOf = useExportActions()
  return useMemo(
    () => [
      { id: 'kind', header: t('settlement.kind'), width: 140, cell: ({ kind }) => t(`reports.kinds.${kind}`) },
      { id: 'state', header: t('orders.status'), width: 160, cell: (one) => <ExportState one={one} /> },
      {
        id: 'rows',
        header: t('reports.rows'),
        isRight: true,
        width: 70,
        cell: ({ row_count: count }) => new Intl.NumberFormat(i18n.language).format(count),
      },
      { id: 'size', header: t('reports.size'), isRight: true, width: 90, cell: ({ byte_count: n }) => sizeText(n) },
      {
        id: 'personal',
        header: t('reports.personal'),
        width: 120,
        cell: ({ with_personal_data: isPersonal }) => (isPersonal ? t('parts.yes') : t('parts.no')),
      },
      { id: 'by', header: t('reports.madeBy'), cell: ({ created_by: id }) => nameOf(id) },
      {
        id: 'created',
        header: t('orders.created'),
        width: 140,
        isSorted: true,
        cell: ({ created_at: at }) => <Time time={at} isRelative />,
      },
      {
        id: 'expires',
        header: t('reports.until'),
        width: 140,
        cell: ({ expires_at: at }) => <Time time={at} isRelative />,
      },
      {
        id: 'actions',
        header: t('parts.actions'),
        width: 130,
        cell: (one) => <Actions actions={actionsOf(one)} isCompact />,
      },
    ],
    [t, i18n.language, nameOf, actionsOf],
  )
}

/** State of an export. Polls a running one until it ends, then reloads the list. */
function ExportState({ one }: { one: Export }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { data = one } = useQuery({
    queryKey: ['export', one.id],
    queryFn: () => bodyOf(api.GET('/exports/{exportId}', { params: { path: { exportId: one.id } } })),
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
