import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { type Action, Actions } from '../parts/actions.tsx'
import { type Column, figureColumn } from '../parts/columns.tsx'
import { optionsOf } from '../parts/filter.ts'
import { ListScreen, useFilteredList } from '../parts/list-screen.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { dayLabel } from '../text/format.ts'
import { PayoutSums } from './payout-sums.tsx'

type Payout = Schemas['Payout']

const route = getRouteApi('/money/payouts')
const statuses = ['open', 'released', 'downloaded', 'discarded']

export function PayoutsScreen() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = useNavigate()
  const may = useMay()
  const list = useFilteredList('payouts', search, (query) => api.get('/payouts', { query }))
  const columns = useColumns()
  const open = (id: string) => void navigate({ to: '/money/payouts/$payoutId', params: { payoutId: id } })
  const create: Action = {
    id: 'create',
    label: t('payouts.create'),
    consequence: t('payouts.createText'),
    run: (key) => api.post('/payouts', { key, body: {} }),
    done: t('payouts.created'),
    onDone: (result) => open((result as Payout).id),
  }
  return (
    <ListScreen
      title={t('nav.payouts')}
      operation="listPayouts"
      list={list}
      columns={columns}
      search={search}
      filters={[{ name: 'status', label: t('orders.status'), options: optionsOf(statuses) }]}
      onOpen={({ id }) => open(id)}
      emptyText={t('payouts.empty')}
      aside={<Actions actions={may('money') ? [create] : []} />}
    />
  )
}

function useColumns(): Column<Payout>[] {
  const { t } = useTranslation()
  return [
    {
      id: 'created',
      header: t('orders.created'),
      width: 190,
      isSorted: true,
      cell: ({ created_at: at }) => <Time time={at} />,
    },
    { id: 'status', header: t('orders.status'), width: 150, cell: ({ status }) => <State state={status} /> },
    figureColumn('count', t('nav.refunds'), 120, (one) => one.count),
    { id: 'sum', header: t('payouts.sum'), isRight: true, cell: ({ sums }) => <PayoutSums sums={sums} /> },
    figureColumn('settled', t('payouts.settled'), 130, ({ refunds, count }) => `${refunds.settled} / ${count}`),
    {
      id: 'execution',
      header: t('payouts.execution'),
      width: 140,
      cell: ({ execution_date: day }) => (day ? dayLabel(day) : '–'),
    },
  ]
}
