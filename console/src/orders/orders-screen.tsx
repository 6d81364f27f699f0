import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { useMe } from '../api/me.ts'
import { type Filter, optionsOf } from '../parts/filter.ts'
import { ListScreen, useFilteredList } from '../parts/list-screen.tsx'
import { blockerCodes } from './blocker-remedies.ts'
import { OrderBulk } from './order-bulk.tsx'
import { useOrderColumns } from './order-columns.tsx'

const route = getRouteApi('/orders')
const statuses = ['ORDERED', 'PAID', 'NOPAYMENT', 'READYTOMINT', 'MINTING', 'MINTED', 'CANCELLED']

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
    { name: 'blocker', label: t('orders.blocker'), options: optionsOf(blockerCodes) },
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
