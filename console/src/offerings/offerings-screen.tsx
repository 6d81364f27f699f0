import { Button } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { useKeys } from '../app/keys.ts'
import { useSetSearch } from '../app/use-set-search.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { optionsOf } from '../parts/filter.ts'
import { ListBar } from '../parts/list-bar.tsx'
import { Money } from '../parts/money.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { Units } from '../parts/units.tsx'
import { Sold } from './sold.tsx'

type Offering = Schemas['OperatorOffering']

const route = getRouteApi('/offerings')

export function OfferingsScreen() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const setSearch = useSetSearch()
  const navigate = useNavigate()
  const may = useMay()
  const { hide, ...filters } = search
  const list = useList<Offering>(['offerings', filters], (page) =>
    bodyOf(api.GET('/offerings', { params: { query: { ...(filters as object), ...page } } })),
  )
  const open = (id: string) => void navigate({ to: '/offerings/$offeringId', params: { offeringId: id } })
  const columns = useColumns()
  const mayDraft = may('offerings')
  useKeys(useMemo(() => (mayDraft ? { a: () => void navigate({ to: '/offerings/new' }) } : {}), [mayDraft, navigate]))
  return (
    <div className="page page-list">
      <PageTitle title={t('nav.offerings')} count={list.count}>
        {mayDraft && (
          <Button component={Link} to="/offerings/new">
            {t('offerings.create')}
          </Button>
        )}
      </PageTitle>
      <ListBar
        columns={columns}
        search={search}
        onSearch={setSearch}
        filters={[
          { name: 'status', label: t('orders.status'), options: optionsOf(['DRAFT', 'OPEN', 'PAUSED', 'CLOSED']) },
        ]}
      />
      <DataTable
        label={t('nav.offerings')}
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        hidden={hide}
        direction={search.direction}
        onDirection={(direction) => setSearch({ direction })}
        onOpen={({ id }) => open(id)}
        emptyText={t('offerings.empty')}
      />
    </div>
  )
}

function useColumns(): Column<Offering>[] {
  const { t } = useTranslation()
  return useMemo(
    () => [
      { id: 'name', header: t('offerings.name'), cell: (offering) => <OfferingName offering={offering} /> },
      { id: 'status', header: t('orders.status'), width: 110, cell: ({ status }) => <State state={status} /> },
      {
        id: 'sold',
        header: t('offerings.sold'),
        width: 130,
        cell: (offering) => <Sold offering={offering} />,
      },
      {
        id: 'total',
        header: t('offerings.total'),
        isRight: true,
        width: 130,
        cell: ({ total_units: units, decimals }) => <Units units={units} decimals={decimals} />,
      },
      {
        id: 'price',
        header: t('offerings.price'),
        isRight: true,
        width: 120,
        cell: ({ price_per_token: price, currency }) => <Money amount={price} currency={currency} />,
      },
      {
        id: 'closes',
        header: t('offerings.closes'),
        width: 140,
        cell: ({ closes_at: at }) => <Time time={at} isRelative />,
      },
      {
        id: 'minting',
        header: t('offerings.minting'),
        width: 185,
        cell: ({ minting_stopped: stopped }) =>
          stopped === null ? <span className="muted">–</span> : <State state="failed" label={t('offerings.stopped')} />,
      },
      {
        id: 'created',
        header: t('orders.created'),
        width: 140,
        isSorted: true,
        cell: ({ created_at: at }) => <Time time={at} isRelative />,
      },
    ],
    [t],
  )
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
