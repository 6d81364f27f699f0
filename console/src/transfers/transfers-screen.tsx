import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { onlyPage } from '../api/list.ts'
import { HolderName } from '../offerings/holder-name.tsx'
import { actionsColumn, type Column, timeColumn, unitsColumn } from '../parts/columns.tsx'
import { optionsOf } from '../parts/filter.ts'
import { ListScreen, useFilteredList } from '../parts/list-screen.tsx'
import { State } from '../parts/state.tsx'
import { useTransferActions } from './transfer-actions.ts'
import { TransferTabs } from './transfer-tabs.tsx'

type Transfer = Schemas['OperatorTransferRequestSummary']

const route = getRouteApi('/transfers')
const statuses = ['REQUESTED', 'APPROVED', 'READY', 'SENT', 'DONE', 'CANCELLED', 'REJECTED']

export function TransfersScreen() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const { transfer: transferId } = search
  const list = useFilteredList<Transfer>('transfers', search, async (query) =>
    transferId
      ? onlyPage([await api.get('/transfers/{transferId}', { path: { transferId } })])
      : api.get('/transfers', { query }),
  )
  const columns = useColumns()
  return (
    <ListScreen
      title={t('nav.transfers')}
      operation="listTransfers"
      list={list}
      columns={columns}
      search={search}
      filters={[
        { name: 'status', label: t('orders.status'), options: optionsOf(statuses) },
        { name: 'offering_id', label: t('orders.offeringId') },
        ...(transferId ? [{ name: 'transfer', label: t('transfers.id') }] : []),
      ]}
      emptyText={t('transfers.empty')}
    >
      <TransferTabs />
    </ListScreen>
  )
}

function useColumns(): Column<Transfer>[] {
  const { t } = useTranslation()
  const actionsOf = useTransferActions()
  return [
    {
      id: 'from',
      header: t('transfers.from'),
      cell: (one) => <HolderName holder={{ account_id: one.sender_account_id, name: one.sender_name }} />,
    },
    {
      id: 'to',
      header: t('transfers.to'),
      cell: (one) => <HolderName holder={{ account_id: one.receiver_account_id, name: one.receiver_name }} />,
    },
    { id: 'offering', header: t('transfers.offering'), cell: ({ offering_name: name }) => name },
    unitsColumn('units', t('transfers.units'), 130, ({ units, decimals }) => ({ units, decimals })),
    { id: 'reason', header: t('parts.reason'), width: 130, cell: ({ reason }) => reason.replaceAll('_', ' ') },
    { id: 'status', header: t('orders.status'), width: 130, cell: ({ status }) => <State state={status} /> },
    timeColumn('created', t('orders.created'), (one) => one.created_at, { isSorted: true }),
    actionsColumn(t('parts.actions'), 225, actionsOf),
  ]
}
