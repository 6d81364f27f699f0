import { Button } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { type Column, moneyColumn, timeColumn, unitsColumn } from '../parts/columns.tsx'
import { optionsOf } from '../parts/filter.ts'
import { useKeys } from '../parts/keys.ts'
import { ListScreen, useFilteredList } from '../parts/list-screen.tsx'
import { State } from '../parts/state.tsx'
import { Sold } from './sold.tsx'

type Offering = Schemas['OperatorOffering']

const route = getRouteApi('/offerings')

export function OfferingsScreen() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = useNavigate()
  const may = useMay()
  const list = useFilteredList('offerings', search, (query) => api.get('/offerings', { query }))
  const open = (id: string) => void navigate({ to: '/offerings/$offeringId', params: { offeringId: id } })
  const columns = useColumns()
  const mayDraft = may('offerings')
  useKeys(useMemo(() => (mayDraft ? { a: () => void navigate({ to: '/offerings/new' }) } : {}), [mayDraft, navigate]))
  return (
    <ListScreen
      title={t('nav.offerings')}
      list={list}
      columns={columns}
      search={search}
      filters={[
        { name: 'status', label: t('orders.status'), options: optionsOf(['DRAFT', 'OPEN', 'PAUSED', 'CLOSED']) },
      ]}
      onOpen={({ id }) => open(id)}
      emptyText={t('offerings.empty')}
      aside={
        mayDraft && (
          <Button component={Link} to="/offerings/new">
            {t('offerings.create')}
          </Button>
        )
      }
    />
  )
}

function useColumns(): Column<Offering>[] {
  const { t } = useTranslation()
  return [
    { id: 'name', header: t('offerings.name'), cell: (offering) => <OfferingName offering={offering} /> },
    { id: 'status', header: t('orders.status'), width: 110, cell: ({ status }) => <State state={status} /> },
    { id: 'sold', header: t('offerings.sold'), width: 130, cell: (offering) => <Sold offering={offering} /> },
    unitsColumn('total', t('offerings.total'), 130, ({ total_units: units, decimals }) => ({ units, decimals })),
    moneyColumn('price', t('offerings.price'), 120, (one) => one.price_per_token),
    timeColumn('closes', t('offerings.closes'), (one) => one.closes_at),
    {
      id: 'minting',
      header: t('offerings.minting'),
      width: 185,
      cell: ({ minting_stopped: stopped }) =>
        stopped === null ? <span className="muted">–</span> : <State state="failed" label={t('offerings.stopped')} />,
    },
    timeColumn('created', t('orders.created'), (one) => one.created_at, { isSorted: true }),
  ]
}

function OfferingName({ offering: { id, name, symbol } }: { offering: Offering }) {
  return (
    <>
      <Link className="plain" to="/offerings/$offeringId" params={{ offeringId: id }} tabIndex={-1}>
        {name}
      </Link>{' '}
      <span className="muted small">{symbol}</span>
    </>
  )
}
