import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMe } from '../api/me.ts'
import { type Filter, optionsOf } from '../parts/filter.ts'
import { ListScreen, useFilteredList } from '../parts/list-screen.tsx'
import { OrderBulk } from './order-bulk.tsx'
import { useOrderColumns } from './order-columns.tsx'

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
  const navigate = useNavigate()
  const list = useFilteredList('orders', search, (query) => api.get('/orders', { query }))
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
    <ListScreen
      title={t('nav.orders')}
      operation="listOrders"
      list={list}
      columns={columns}
      search={search}
      filters={bar}
      onOpen={({ id }) => void navigate({ to: '/orders/$orderId', params: { orderId: id } })}
      emptyText={t('orders.empty')}
      selectionActions={mayAct && ((orders, clear) => <OrderBulk orders={orders} onDone={clear} />)}
    />
  )
}
