import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api/client.ts'
import { type ListPage, onlyPage, useList } from '../api/list.ts'
import { useSetSearch } from '../app/use-set-search.ts'
import { Actions } from '../parts/actions.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { optionsOf } from '../parts/filter.ts'
import { ListBar } from '../parts/list-bar.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { Units } from '../parts/units.tsx'
import { InvestorLink } from './investor-link.tsx'
import { useTransferActions } from './transfer-actions.ts'
import { TransferTabs } from './transfer-tabs.tsx'

type Transfer = Schemas['OperatorTransferRequestSummary']

const route = getRouteApi('/transfers')
const statuses = ['REQUESTED', 'APPROVED', 'READY', 'SENT', 'DONE', 'CANCELLED', 'REJECTED']

export function TransfersScreen() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const setSearch = useSetSearch()
  const { hide, transfer, ...filters } = search
  const list = useList<Transfer>(['transfers', transfer ?? filters], (page) =>
    transfer
      ? onlyTransfer(transfer)
      : bodyOf(api.GET('/transfers', { params: { query: { ...(filters as object), ...page } } })),
  )
  const columns = useColumns()
  return (
    <div className="page page-list">
      <PageTitle title={t('nav.transfers')} count={list.count} />
      <TransferTabs />
      <ListBar
        list="listTransfers"
        columns={columns}
        search={search}
        onSearch={setSearch}
        filters={[
          { name: 'status', label: t('orders.status'), options: optionsOf(statuses) },
          { name: 'offering_id', label: t('orders.offeringId') },
          ...(transfer ? [{ name: 'transfer', label: t('transfers.id') }] : []),
        ]}
      />
      <DataTable
        label={t('nav.transfers')}
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        hidden={hide}
        direction={search.direction}
        onDirection={(direction) => setSearch({ direction })}
        emptyText={t('transfers.empty')}
      />
    </div>
  )
}

/** Reads one transfer as a list, for links to a single transfer. */
async function onlyTransfer(transferId: string): Promise<ListPage<Transfer>> {
  return onlyPage([await bodyOf(api.GET('/transfers/{transferId}', { params: { path: { transferId } } }))])
}

function useColumns(): Column<Transfer>[] {
  const { t } = useTranslation()
  const actionsOf = useTransferActions()
  return useMemo(
    () => [
      {
        id: 'from',
        header: t('transfers.from'),
        cell: ({ sender_account_id: id, sender_name: name }) => <InvestorLink id={id} name={name} />,
      },
      {
        id: 'to',
        header: t('transfers.to'),
        cell: ({ receiver_account_id: id, receiver_name: name }) => <InvestorLink id={id} name={name} />,
      },
      { id: 'offering', header: t('transfers.offering'), cell: ({ offering_name: name }) => name },
      {
        id: 'units',
        header: t('transfers.units'),
        isRight: true,
        width: 130,
        cell: ({ units, decimals }) => <Units units={units} decimals={decimals} />,
      },
      { id: 'reason', header: t('parts.reason'), width: 130, cell: ({ reason }) => reason.replaceAll('_', ' ') },
      { id: 'status', header: t('orders.status'), width: 130, cell: ({ status }) => <State state={status} /> },
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
        width: 225,
        cell: (transfer) => <Actions actions={actionsOf(transfer)} isCompact />,
      },
    ],
    [t, actionsOf],
  )
}
