import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMe } from '../api/me.ts'
import { useSetSearch } from '../app/use-set-search.ts'
import { DataTable } from '../parts/data-table.tsx'
import { type Filter, optionsOf } from '../parts/filter.ts'
import { ListBar } from '../parts/list-bar.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { OrderBulk } from './order-bulk.tsx'
import { useOrderColumns } from './order-columns.tsx'

type Order = Schemas['OperatorOrder']

const route = getRouteApi('/orders')
const statuses = ['ORDERED', 'PAID', 'NOPAYMENT', 'READYTOMINT', 'MINTING', 'MINTED', 'CANCELLED']

const blockers: Schemas['Blocker']['code'][] = [
  'payment_missing',
  'payment_overdue',
  'approval_missing',
  'benefiting_person_missing',
  'wallet_missing',
  'acceptance_missing',
  'country_not_allowed',
  'account_type_not_allowed',
  'investor_limit_exceeded',
  'account_not_invited',
  'document_not_accepted',
  'questionnaire_missing',
  'questionnaire_refused',
  'soft_cap_missing',
  'token_missing',
  'token_unreadable',
  'minting_stopped',
  'mint_on_hold',
]

export function OrdersScreen() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const setSearch = useSetSearch()
  const navigate = useNavigate()
  const { hide, ...filters } = search
  const list = useList<Order>(['orders', filters], (page) =>
    bodyOf(api.GET('/orders', { params: { query: { ...(filters as object), ...page } } })),
  )
  const columns = useOrderColumns()
  const { user } = useMe()
  const mayAct = user.duties.some(({ duty }) => duty === 'offerings' || duty === 'settlement')
  const bar: Filter[] = [
    { name: 'status', label: t('orders.status'), options: optionsOf(statuses) },
    { name: 'blocker', label: t('orders.blocker'), options: optionsOf(blockers) },
    { name: 'payment_reference', label: t('orders.reference') },
    { name: 'offering_id', label: t('orders.offeringId') },
    { name: 'account_id', label: t('orders.accountId') },
  ]
  return (
    <div className="page page-list">
      <PageTitle title={t('nav.orders')} count={list.count} />
      <ListBar list="listOrders" filters={bar} columns={columns} search={search} onSearch={setSearch} />
      <DataTable
        label={t('nav.orders')}
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        hidden={hide}
        direction={search.direction}
        onDirection={(direction) => setSearch({ direction })}
        onOpen={({ id }) => void navigate({ to: '/orders/$orderId', params: { orderId: id } })}
        emptyText={t('orders.empty')}
        {...(mayAct && {
          selectionActions: (orders: readonly Order[], clear: () => void) => (
            <OrderBulk orders={orders} onDone={clear} />
          ),
        })}
      />
    </div>
  )
}
