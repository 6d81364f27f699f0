import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, once, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { useSetSearch } from '../app/use-set-search.ts'
import { type Action, Actions } from '../parts/actions.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { ListBar } from '../parts/list-bar.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { Units } from '../parts/units.tsx'
import { InvestorLink } from './investor-link.tsx'
import { TransferTabs } from './transfer-tabs.tsx'

type Unrequested = Schemas['UnrequestedTransfer']

const route = getRouteApi('/transfers/unrequested')

/** Transfers on a chain that no request explains. */
export function UnrequestedScreen() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const setSearch = useSetSearch()
  const { hide, ...filters } = search
  const list = useList<Unrequested>(['unrequested-transfers', filters], (page) =>
    bodyOf(api.GET('/unrequested-transfers', { params: { query: { ...(filters as object), ...page } } })),
  )
  const columns = useColumns()
  const judged = [
    { value: 'false', label: t('transfers.notJudged') },
    { value: 'true', label: t('transfers.isJudged') },
  ]
  return (
    <div className="page page-list">
      <PageTitle title={t('transfers.unrequested')} count={list.count} />
      <TransferTabs />
      <ListBar
        list="listUnrequestedTransfers"
        columns={columns}
        search={search}
        onSearch={setSearch}
        filters={[
          { name: 'judged', label: t('transfers.verdict'), options: judged },
          { name: 'offering_id', label: t('orders.offeringId') },
        ]}
      />
      <DataTable
        label={t('transfers.unrequested')}
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        hidden={hide}
        direction={search.direction}
        onDirection={(direction) => setSearch({ direction })}
        emptyText={t('transfers.noUnrequested')}
      />
    </div>
  )
}

function Party({ id, name, address }: { id: string | null; name: string | null; address: string }) {
  if (id === null || name === null) return <code title={address}>{`${address.slice(0, 6)}…${address.slice(-4)}`}</code>
  return <InvestorLink id={id} name={name} />
}

function useColumns(): Column<Unrequested>[] {
  const { t } = useTranslation()
  const actionsOf = useJudgements()
  return useMemo(
    () => [
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
      {
        id: 'units',
        header: t('transfers.units'),
        isRight: true,
        width: 130,
        cell: ({ units, decimals }) => <Units units={units} decimals={decimals} />,
      },
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
      {
        id: 'moved',
        header: t('transfers.movedAt'),
        width: 140,
        isSorted: true,
        cell: ({ moved_at: at }) => <Time time={at} isRelative />,
      },
      {
        id: 'actions',
        header: t('parts.actions'),
        width: 235,
        cell: (row) => <Actions actions={actionsOf(row)} isCompact />,
      },
    ],
    [t, actionsOf],
  )
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
      run: (key, values) =>
        bodyOf(
          api.POST('/unrequested-transfers/{unrequestedTransferId}/judge', {
            params: { path: { unrequestedTransferId: id }, header: once(key) },
            body: { verdict: chosen, note: values['note'] ?? '' },
          }),
        ),
      done: t('transfers.judged'),
    })
    return [
      judge('accepted', t('transfers.accept'), t('transfers.acceptText')),
      judge('reported', t('transfers.report'), t('transfers.reportText')),
    ]
  }
}
