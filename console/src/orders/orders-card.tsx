import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { TableCard } from '../parts/table-card.tsx'
import { useOrderColumns } from './order-columns.tsx'

interface OrdersCardProps {
  readonly filter: { readonly account_id: string } | { readonly offering_id: string }
  readonly hidden: string
  readonly emptyText: string
}

/** Orders of an investor or of an offering, with a link to the whole list. */
export function OrdersCard({ filter, hidden, emptyText }: OrdersCardProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const list = useList(['orders', filter], (page) => api.get('/orders', { query: { ...filter, ...page } }))
  return (
    <TableCard
      title={t('nav.orders')}
      heading={
        <Link className="link" to="/orders" search={filter}>
          {t('nav.orders')}
        </Link>
      }
      list={list}
      columns={useOrderColumns()}
      hidden={hidden}
      emptyText={emptyText}
      onOpen={({ id }) => void navigate({ to: '/orders/$orderId', params: { orderId: id } })}
    />
  )
}
