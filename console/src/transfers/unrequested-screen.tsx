import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { HolderName } from '../offerings/holder-name.tsx'
import type { Action } from '../parts/actions.tsx'
import { actionsColumn, type Column, timeColumn, unitsColumn } from '../parts/columns.tsx'
import { ListScreen, useFilteredList } from '../parts/list-screen.tsx'
import { State } from '../parts/state.tsx'
import { TransferTabs } from './transfer-tabs.tsx'

type Unrequested = Schemas['UnrequestedTransfer']

const route = getRouteApi('/transfers/unrequested')

/** Transfers on a chain that no request explains. */
export function UnrequestedScreen() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const list = useFilteredList('unrequested-transfers', search, (query) => api.get('/unrequested-transfers', { query }))
  const columns = useColumns()
  const judged = [
    { value: 'false', label: t('transfers.notJudged') },
    { value: 'true', label: t('transfers.isJudged') },
  ]
  return (
    <ListScreen
      title={t('transfers.unrequested')}
      operation="listUnrequestedTransfers"
      list={list}
      columns={columns}
      search={search}
      filters={[
        { name: 'judged', label: t('transfers.verdict'), options: judged },
        { name: 'offering_id', label: t('orders.offeringId') },
      ]}
      emptyText={t('transfers.noUnrequested')}
    >
      <TransferTabs />
    </ListScreen>
  )
}

function Party({ id, name, address }: { id: string | null; name: string | null; address: string }) {
  if (id === null || name === null) return <code title={address}>{`${address.slice(0, 6)}…${address.slice(-4)}`}</code>
  return <HolderName holder={{ account_id: id, name }} />
}

function useColumns(): Column<Unrequested>[] {
  const { t } = useTranslation()
  const actionsOf = useJudgements()
  return [
    {
      id: 'from',
      header: t('transfers.from'),
      cell: (row) => <Party id={row.sender_account_id} name={row.sender_name} address={row.from_address} />,
    },
    {
      id: 'to',
      header: t('transfers.to'),
      cell: (row) => <Party id={row.receiver_account_id} name={row.receiver_name} address={row.to_address} />,
    },
    { id: 'offering', header: t('transfers.offering'), cell: ({ offering_name: name }) => name },
    unitsColumn('units', t('transfers.units'), 130, ({ units, decimals }) => ({ units, decimals })),
    {
      id: 'breaches',
      header: t('transfers.breaches'),
      cell: ({ breaches }) => breaches.map((breach) => breach.replaceAll('_', ' ')).join(', ') || '–',
    },
    {
      id: 'verdict',
      header: t('transfers.verdict'),
      width: 110,
      cell: ({ verdict }) => <State state={verdict ?? 'open'} />,
    },
    timeColumn('moved', t('transfers.movedAt'), (one) => one.moved_at, { isSorted: true }),
    actionsColumn(t('parts.actions'), 235, actionsOf),
  ]
}

function useJudgements(): (transfer: Unrequested) => Action[] {
  const { t } = useTranslation()
  const may = useMay()
  return ({ id, verdict }) => {
    if (verdict !== null || !may('compliance')) return []
    const judge = (chosen: 'accepted' | 'reported', label: string, consequence: string): Action => ({
      id: chosen === 'accepted' ? 'accept' : 'report',
      label,
      consequence,
      fields: [{ name: 'note', label: t('transfers.note'), kind: 'text' }],
      run: (key, { note = '' }) =>
        api.post('/unrequested-transfers/{unrequestedTransferId}/judge', {
          path: { unrequestedTransferId: id },
          key,
          body: { verdict: chosen, note },
        }),
      done: t('transfers.judged'),
    })
    return [
      judge('accepted', t('transfers.accept'), t('transfers.acceptText')),
      judge('reported', t('transfers.report'), t('transfers.reportText')),
    ]
  }
}
