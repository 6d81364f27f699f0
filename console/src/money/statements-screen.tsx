import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { type Column, figureColumn, timeColumn } from '../parts/columns.tsx'
import { ListScreen, useFilteredList } from '../parts/list-screen.tsx'
import { Money } from '../parts/money.tsx'
import { StatementFindings } from './statement-findings.tsx'
import { StatementState } from './statement-state.tsx'

type Statement = Schemas['Statement']

// Loads after the list, because it is the largest part of the screen.
const ImportZone = lazy(async () => ({ default: (await import('./import-zone.tsx')).ImportZone }))

const route = getRouteApi('/money/statements')

export function StatementsScreen() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = useNavigate()
  const may = useMay()
  const list = useFilteredList('statements', search, (query) => api.get('/statements', { query }))
  const columns = useColumns()
  const yes = [{ value: 'true', label: t('parts.yes') }]
  return (
    <ListScreen
      title={t('nav.statements')}
      operation="listStatements"
      list={list}
      columns={columns}
      search={search}
      filters={[
        { name: 'waits_for_booking', label: t('statements.waits'), options: yes },
        { name: 'needs_attention', label: t('statements.attention'), options: yes },
      ]}
      onOpen={({ id }) => void navigate({ to: '/money/statements/$statementId', params: { statementId: id } })}
      emptyText={t('statements.empty')}
    >
      <Suspense fallback={<div aria-busy style={{ height: 64 }} />}>{may('money') && <ImportZone />}</Suspense>
      <StatementFindings />
    </ListScreen>
  )
}

function useColumns(): Column<Statement>[] {
  const { t } = useTranslation()
  return [
    { id: 'account', header: t('statements.account'), cell: ({ account }) => <span className="mono">{account}</span> },
    { id: 'number', header: t('statements.number'), width: 110, cell: ({ sequence, bank_id: id }) => sequence ?? id },
    figureColumn(
      'opening',
      t('statements.opening'),
      150,
      ({ opening_balance: amount, currency }) => amount && <Money amount={amount} currency={currency} />,
    ),
    figureColumn(
      'closing',
      t('statements.closing'),
      150,
      ({ closing_balance: amount, currency }) => amount && <Money amount={amount} currency={currency} />,
    ),
    figureColumn('entries', t('statements.entries'), 90, (one) => one.entries),
    { id: 'state', header: t('orders.status'), width: 190, cell: (one) => <StatementState statement={one} /> },
    timeColumn('created', t('statements.importedAt'), (one) => one.created_at, { isSorted: true }),
  ]
}
