import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { useSetSearch } from '../app/use-set-search.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { ListBar } from '../parts/list-bar.tsx'
import { Money } from '../parts/money.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { Time } from '../parts/time.tsx'
import { StatementFindings } from './statement-findings.tsx'
import { StatementState } from './statement-state.tsx'

type Statement = Schemas['Statement']

// Loads after the list, because it is the largest part of the screen.
const ImportZone = lazy(async () => ({ default: (await import('./import-zone.tsx')).ImportZone }))

const route = getRouteApi('/money/statements')

export function StatementsScreen() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const setSearch = useSetSearch()
  const navigate = useNavigate()
  const may = useMay()
  const { hide, ...filters } = search
  const list = useList<Statement>(['statements', filters], (page) =>
    bodyOf(api.GET('/statements', { params: { query: { ...(filters as object), ...page } } })),
  )
  const columns = useColumns()
  const yes = [{ value: 'true', label: t('parts.yes') }]
  return (
    <div className="page page-list">
      <PageTitle title={t('nav.statements')} count={list.count} />
      <Suspense fallback={<div aria-busy style={{ height: 64 }} />}>{may('money') && <ImportZone />}</Suspense>
      <StatementFindings />
      <ListBar
        list="listStatements"
        columns={columns}
        search={search}
        onSearch={setSearch}
        filters={[
          { name: 'waits_for_booking', label: t('statements.waits'), options: yes },
          { name: 'needs_attention', label: t('statements.attention'), options: yes },
        ]}
      />
      <DataTable
        label={t('nav.statements')}
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        hidden={hide}
        direction={search.direction}
        onDirection={(direction) => setSearch({ direction })}
        onOpen={({ id }) => void navigate({ to: '/money/statements/$statementId', params: { statementId: id } })}
        emptyText={t('statements.empty')}
      />
    </div>
  )
}

function useColumns(): Column<Statement>[] {
  const { t } = useTranslation()
  return useMemo(
    () => [
      {
        id: 'account',
        header: t('statements.account'),
        cell: ({ account }) => <span className="mono">{account}</span>,
      },
      { id: 'number', header: t('statements.number'), width: 110, cell: ({ sequence, bank_id: id }) => sequence ?? id },
      {
        id: 'opening',
        header: t('statements.opening'),
        isRight: true,
        width: 150,
        cell: ({ opening_balance: amount, currency }) => amount && <Money amount={amount} currency={currency} />,
      },
      {
        id: 'closing',
        header: t('statements.closing'),
        isRight: true,
        width: 150,
        cell: ({ closing_balance: amount, currency }) => amount && <Money amount={amount} currency={currency} />,
      },
      {
        id: 'entries',
        header: t('statements.entries'),
        isRight: true,
        width: 90,
        cell: ({ entries }) => entries,
      },
      { id: 'state', header: t('orders.status'), width: 190, cell: (one) => <StatementState statement={one} /> },
      {
        id: 'created',
        header: t('statements.importedAt'),
        width: 140,
        isSorted: true,
        cell: ({ created_at: at }) => <Time time={at} isRelative />,
      },
    ],
    [t],
  )
}
