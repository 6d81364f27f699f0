import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import type { Action } from '../parts/actions.tsx'
import { actionsColumn, type Column, figureColumn, timeColumn } from '../parts/columns.tsx'
import { Copied } from '../parts/copied.tsx'
import { optionsOf } from '../parts/filter.ts'
import { ListScreen, useFilteredList } from '../parts/list-screen.tsx'
import { SidePanel } from '../parts/side-panel.tsx'
import { State } from '../parts/state.tsx'
import { ChainOpDetail } from './chain-op-detail.tsx'

type ChainOp = Schemas['ListedChainOp']

const route = getRouteApi('/settlement')
const states = ['QUEUED', 'RESERVED', 'SIGNED', 'MINED', 'FINAL', 'REVERTED', 'CANCELLED', 'ALARM']
const kinds = ['MINT', 'REGISTER_WALLETS', 'UNREGISTER_WALLETS', 'FREEZE', 'FORCED_TRANSFER', 'BURN', 'DEPLOY_TOKEN']

/** Chain ops: everything that the service does on the chain. */
export function SettlementScreen() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const list = useFilteredList('chain-ops', search, (query) => api.get('/chain-ops', { query }))
  const columns = useColumns()
  const [open, setOpen] = useState<ChainOp>()
  return (
    <>
      <ListScreen
        title={t('nav.settlement')}
        operation="listChainOps"
        list={list}
        columns={columns}
        search={search}
        filters={[
          { name: 'state', label: t('orders.status'), options: optionsOf(states) },
          { name: 'kind', label: t('settlement.kind'), options: optionsOf(kinds) },
          { name: 'offering_id', label: t('orders.offeringId') },
        ]}
        onOpen={setOpen}
        emptyText={t('settlement.empty')}
      />
      {open && (
        <SidePanel title={open.kind.replaceAll('_', ' ')} onClose={() => setOpen(undefined)}>
          <ChainOpDetail opId={open.id} />
        </SidePanel>
      )}
    </>
  )
}

function useColumns(): Column<ChainOp>[] {
  const { t } = useTranslation()
  const actionsOf = useChainOpActions()
  return [
    { id: 'kind', header: t('settlement.kind'), width: 180, cell: ({ kind }) => kind.replaceAll('_', ' ') },
    { id: 'state', header: t('orders.status'), width: 140, cell: ({ state }) => <State state={state} /> },
    { id: 'chain', header: t('offerings.blockchain'), width: 110, cell: ({ blockchain }) => blockchain },
    figureColumn('nonce', t('settlement.nonce'), 100, ({ nonce }) => nonce ?? '–'),
    {
      id: 'hash',
      header: t('settlement.hash'),
      width: 140,
      cell: ({ mined_hash: hash }) => (hash ? <Copied text={hash} /> : '–'),
    },
    { id: 'failure', header: t('settlement.failure'), cell: ({ failure }) => failure },
    timeColumn('created', t('orders.created'), (one) => one.created_at, { isSorted: true }),
    actionsColumn(t('parts.actions'), 170, actionsOf),
  ]
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
      run: (key) => api.post(`/chain-ops/{opId}/${verb}`, { path: { opId: id }, key }),
      done: t('settlement.done'),
    }))
  }
}
