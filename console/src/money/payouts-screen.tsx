import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, once, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { useSetSearch } from '../app/use-set-search.ts'
import { type Action, Actions } from '../parts/actions.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { optionsOf } from '../parts/filter.ts'
import { ListBar } from '../parts/list-bar.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { dayLabel } from '../text/format.ts'
import { PayoutSums } from './payout-sums.tsx'

type Payout = Schemas['Payout']

const route = getRouteApi('/money/payouts')

export function PayoutsScreen() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const setSearch = useSetSearch()
  const navigate = useNavigate()
  const may = useMay()
  const { hide, ...filters } = search
  const list = useList<Payout>(['payouts', filters], (page) =>
    bodyOf(api.GET('/payouts', { params: { query: { ...(filters as object), ...page } } })),
  )
  const columns = useColumns()
  const open = (id: string) => void navigate({ to: '/money/payouts/$payoutId', params: { payoutId: id } })
  const create: Action = {
    id: 'create',
    label: t('payouts.create'),
    consequence: t('payouts.createText'),
    run: (key) => bodyOf(api.POST('/payouts', { params: { header: once(key) }, body: {} })),
    done: t('payouts.created'),
    onDone: (result) => open((result as Payout).id),
  }
  return (
    <div className="page page-list">
      <PageTitle title={t('nav.payouts')} count={list.count}>
        <Actions actions={may('money') ? [create] : []} />
      </PageTitle>
      <ListBar
        list="listPayouts"
        columns={columns}
        search={search}
        onSearch={setSearch}
        filters={[
          {
            name: 'status',
            label: t('orders.status'),
            options: optionsOf(['open', 'released', 'downloaded', 'discarded']),
          },
        ]}
      />
      <DataTable
        label={t('nav.payouts')}
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        hidden={hide}
        direction={search.direction}
        onDirection={(direction) => setSearch({ direction })}
        onOpen={({ id }) => open(id)}
        emptyText={t('payouts.empty')}
      />
    </div>
  )
}

function useColumns(): Column<Payout>[] {
  const { t } = useTranslation()
  return useMemo(
    () => [
      {
        id: 'created',
        header: t('orders.created'),
        width: 190,
        isSorted: true,
        cell: ({ created_at: at }) => <Time time={at} />,
      },
      { id: 'status', header: t('orders.status'), width: 150, cell: ({ status }) => <State state={status} /> },
      { id: 'count', header: t('nav.refunds'), isRight: true, width: 120, cell: ({ count }) => count },
      { id: 'sum', header: t('payouts.sum'), isRight: true, cell: ({ sums }) => <PayoutSums sums={sums} /> },
      {
        id: 'settled',
        header: t('payouts.settled'),
        isRight: true,
        width: 130,
        cell: ({ refunds, count }) => `${refunds.settled} / ${count}`,
      },
      {
        id: 'execution',
        header: t('payouts.execution'),
        width: 140,
        cell: ({ execution_date: day }) => (day ? dayLabel(day) : '–'),
      },
    ],
    [t],
  )
}
