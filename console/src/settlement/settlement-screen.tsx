import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, once, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { useSetSearch } from '../app/use-set-search.ts'
import { type Action, Actions } from '../parts/actions.tsx'
import { Copied } from '../parts/copied.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { optionsOf } from '../parts/filter.ts'
import { ListBar } from '../parts/list-bar.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { ChainOpDetail } from './chain-op-detail.tsx'

type ChainOp = Schemas['ListedChainOp']

const SidePanel = lazy(async () => ({ default: (await import('../parts/side-panel.tsx')).SidePanel }))

const route = getRouteApi('/settlement')
const states = ['QUEUED', 'RESERVED', 'SIGNED', 'MINED', 'FINAL', 'REVERTED', 'CANCELLED', 'ALARM']
const kinds = ['MINT', 'REGISTER_WALLETS', 'UNREGISTER_WALLETS', 'FREEZE', 'FORCED_TRANSFER', 'BURN', 'DEPLOY_TOKEN']

/** Chain ops: everything that the service does on the chain. */
export function SettlementScreen() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const setSearch = useSetSearch()
  const { hide, ...filters } = search
  const list = useList<ChainOp>(['chain-ops', filters], (page) =>
    bodyOf(api.GET('/chain-ops', { params: { query: { ...(filters as object), ...page } } })),
  )
  const columns = useColumns()
  const [open, setOpen] = useState<ChainOp>()
  return (
    <div className="page page-list">
      <PageTitle title={t('nav.settlement')} count={list.count} />
      <ListBar
        list="listChainOps"
        columns={columns}
        search={search}
        onSearch={setSearch}
        filters={[
          { name: 'state', label: t('orders.status'), options: optionsOf(states) },
          { name: 'kind', label: t('settlement.kind'), options: optionsOf(kinds) },
          { name: 'offering_id', label: t('orders.offeringId') },
        ]}
      />
      <DataTable
        label={t('nav.settlement')}
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        hidden={hide}
        direction={search.direction}
        onDirection={(direction) => setSearch({ direction })}
        onOpen={setOpen}
        emptyText={t('settlement.empty')}
      />
      <Suspense>
        {open && (
          <SidePanel title={open.kind.replaceAll('_', ' ')} onClose={() => setOpen(undefined)}>
            <ChainOpDetail opId={open.id} />
          </SidePanel>
        )}
      </Suspense>
    </div>
  )
}

function useColumns(): Column<ChainOp>[] {
  const { t } = useTranslation()
  const actionsOf = useChainOpActions()
  return useMemo(
    () => [
      { id: 'kind', header: t('settlement.kind'), width: 180, cell: ({ kind }) => kind.replaceAll('_', ' ') },
      { id: 'state', header: t('orders.status'), width: 140, cell: ({ state }) => <State state={state} /> },
      { id: 'chain', header: t('offerings.blockchain'), width: 110, cell: ({ blockchain }) => blockchain },
      { id: 'nonce', header: t('settlement.nonce'), isRight: true, width: 100, cell: ({ nonce }) => nonce ?? '–' },
      {
        id: 'hash',
        header: t('settlement.hash'),
        width: 140,
        cell: ({ mined_hash: hash }) => (hash ? <Copied text={hash} /> : '–'),
      },
      { id: 'failure', header: t('settlement.failure'), cell: ({ failure }) => failure },
      {
        id: 'created',
        header: t('orders.created'),
        width: 140,
        isSorted: true,
        cell: ({ created_at: at }) => <Time time={at} isRelative />,
      },
      {
        id: 'actions',
        header: t('parts.actions'),
        width: 170,
        cell: (op) => <Actions actions={actionsOf(op)} isCompact />,
      },
    ],
    [t, actionsOf],
  )
}

function useChainOpActions(): (op: ChainOp) => Action[] {
  const { t } = useTranslation()
  const may = useMay()
  return ({ id, state, kind, offering_id: offeringId, is_cancelling: isCancelling }) => {
    if (!may('settlement', offeringId)) return []
    const verbs = [
      ...(state === 'SIGNED' ? (['bump'] as const) : []),
      ...(state === 'REVERTED' || state === 'ALARM' ? (['retry'] as const) : []),
      ...(!isCancelling && ['QUEUED', 'SIGNED', 'ALARM'].includes(state) ? (['cancel'] as const) : []),
    ]
    return verbs.map((verb) => ({
      id: verb,
      label: t(`settlement.${verb}`),
      isDangerous: verb === 'cancel',
      consequence: t(`settlement.${verb}Text`, { kind }),
      run: (key) =>
        bodyOf(api.POST(`/chain-ops/{opId}/${verb}`, { params: { path: { opId: id }, header: once(key) } })),
      done: t('settlement.done'),
    }))
  }
}
