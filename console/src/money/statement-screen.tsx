import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { type Action, Actions } from '../parts/actions.tsx'
import { BackLink } from '../parts/back-link.tsx'
import { type Column, figureColumn } from '../parts/columns.tsx'
import { Copied } from '../parts/copied.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { optionsOf } from '../parts/filter.ts'
import { ListBar } from '../parts/list-bar.tsx'
import { Masked } from '../parts/masked.tsx'
import { Money } from '../parts/money.tsx'
import { ObjectHeader } from '../parts/object-header.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'
import { State } from '../parts/state.tsx'
import { useSetSearch } from '../parts/use-set-search.ts'
import { dayLabel } from '../text/format.ts'
import { useStatementActions } from './statement-actions.ts'
import { StatementState } from './statement-state.tsx'

type Statement = Schemas['Statement']
type Entry = Schemas['StatementEntry']

const route = getRouteApi('/money/statements/$statementId')
const states = [
  'pending',
  'booked',
  'unassigned',
  'refund_settled',
  'refund_failed',
  'payment_reversed',
  'other',
  'needs_attention',
  'resolved',
]

export function StatementScreen() {
  const { statementId } = route.useParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['statement', statementId],
    queryFn: () => api.get('/statements/{statementId}', { path: { statementId } }),
  })
  return (
    <div className="page page-list">
      {error && <ProblemCard problem={error} retry={() => void refetch()} />}
      {data && <StatementPage statement={data} />}
    </div>
  )
}

function StatementPage({ statement }: { statement: Statement }) {
  const { t } = useTranslation()
  const search = route.useSearch()
  const setSearch = useSetSearch()
  const actions = useStatementActions(statement)
  const columns = useEntryColumns(statement)
  const list = useList<Entry>(['statement', statement.id, 'entries', search.state], (page) =>
    api.get('/statements/{statementId}/entries', {
      path: { statementId: statement.id },
      query: { direction: 'asc', ...(search.state && { state: [search.state as Entry['state']] }), ...page },
    }),
  )
  const amount = (value: string | null) => (value ? <Money amount={value} currency={statement.currency} /> : '–')
  return (
    <>
      <ObjectHeader
        breadcrumb={<BackLink to="/money/statements" text={t('nav.statements')} />}
        title={t('statements.title', { number: statement.sequence ?? statement.bank_id })}
        state={<StatementState statement={statement} />}
        id={<Copied text={statement.id} />}
        actions={actions}
        keyFacts={{
          [t('statements.opening')]: amount(statement.opening_balance),
          [t('statements.closing')]: amount(statement.closing_balance),
          [t('statements.entries')]: statement.entries,
        }}
      />
      <ListBar
        columns={columns}
        search={search}
        onSearch={setSearch}
        filters={[{ name: 'state', label: t('orders.status'), options: optionsOf(states) }]}
      />
      <DataTable
        label={t('statements.entries')}
        list={list}
        columns={columns}
        hidden={search.hide}
        emptyText={t('statements.noEntries')}
      />
    </>
  )
}

function useEntryColumns(statement: Statement): Column<Entry>[] {
  const { t } = useTranslation()
  const resolve = useResolve(statement.id)
  return [
    { id: 'day', header: t('statements.day'), width: 110, cell: ({ booked_on: day }) => dayLabel(day) },
    figureColumn('amount', t('orders.amount'), 140, ({ amount, direction }) => (
      <Money amount={direction === 'debit' ? `-${amount}` : amount} currency={statement.currency} />
    )),
    { id: 'payer', header: t('matching.payer'), cell: ({ payer_name: name }) => name || '–' },
    {
      id: 'iban',
      header: 'IBAN',
      cell: (entry) => <Masked value={entry.payer_iban} reveal={() => revealIban(statement.id, entry.id)} />,
    },
    { id: 'text', header: t('matching.text'), cell: ({ text }) => (text ? <span title={text}>{text}</span> : '–') },
    { id: 'state', header: t('orders.status'), width: 160, cell: ({ state }) => <State state={state} /> },
    {
      id: 'for',
      header: t('statements.for'),
      width: 120,
      cell: ({ order_id: orderId }) =>
        orderId === null ? (
          '–'
        ) : (
          <Link className="link" to="/orders/$orderId" params={{ orderId }}>
            {t('statements.order')}
          </Link>
        ),
    },
    { id: 'actions', header: t('parts.actions'), width: 120, cell: (entry) => resolve(entry) },
  ]
}

async function revealIban(statementId: string, entryId: string): Promise<string | null> {
  const path = { statementId, entryId }
  return (await api.post('/statements/{statementId}/entries/{entryId}/reveal', { path })).payer_iban
}

function useResolve(statementId: string) {
  const { t } = useTranslation()
  const may = useMay()
  return ({ id, state, note }: Entry) => {
    if (state !== 'needs_attention' || !may('money')) return null
    const action: Action = {
      id: 'resolve',
      label: t('statements.resolve'),
      consequence: note ?? t('statements.resolveText'),
      fields: [{ name: 'resolution', label: t('statements.resolution'), kind: 'long' }],
      run: (key, { resolution = '' }) =>
        api.post('/statements/{statementId}/entries/{entryId}/resolve', {
          path: { statementId, entryId: id },
          key,
          body: { resolution },
        }),
      done: t('statements.resolved'),
    }
    return <Actions actions={[action]} isCompact />
  }
}
