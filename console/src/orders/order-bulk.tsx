import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { reasonField } from '../parts/actions.tsx'
import type { BulkAction } from '../parts/bulk-action.ts'
import { BulkActions } from '../parts/bulk-actions.tsx'
import { canRemedy } from './blocker-remedies.ts'

type Order = Schemas['OperatorOrder']

/** Actions on many orders together. */
export function OrderBulk({ orders, onDone }: { orders: readonly Order[]; onDone: () => void }) {
  return (
    <BulkActions
      actions={useOrderBulkActions(orders)}
      selectedCount={orders.length}
      nameOf={({ payment_reference: reference, account }) => `${account.full_name}, ${reference}`}
      onDone={onDone}
    />
  )
}

function useOrderBulkActions(orders: readonly Order[]): BulkAction<Order>[] {
  const { t } = useTranslation()
  const may = useMay()
  const ofDuty = (duty: 'offerings' | 'settlement') => orders.filter(({ offering }) => may(duty, offering.id))
  return [
    {
      id: 'accept',
      label: t('orders.acceptMany'),
      consequence: t('orders.acceptManyText'),
      items: ofDuty('offerings').filter((order) => canRemedy(order, 'accept')),
      run: (key, items) => api.post('/bulk/acceptOrder', { key, body: { items: items.map(itemOf) } }),
    },
    {
      id: 'release',
      label: t('orders.releaseMany'),
      consequence: t('orders.releaseManyText'),
      items: ofDuty('settlement').filter((order) => canRemedy(order, 'release')),
      run: (key, items) => api.post('/bulk/releaseMintHold', { key, body: { items: items.map(itemOf) } }),
    },
    {
      id: 'extend',
      label: t('orders.extendMany'),
      consequence: t('orders.extendText'),
      items: ofDuty('offerings').filter((order) => canRemedy(order, 'extend')),
      fields: [{ name: 'payment_due_at', label: t('orders.due'), kind: 'time' }],
      run: (key, items, values) => {
        const body = { payment_due_at: new Date(values['payment_due_at'] ?? '').toISOString() }
        const all = items.map((one) => ({ ...itemOf(one), body }))
        return api.post('/bulk/extendPaymentDeadline', { key, body: { items: all } })
      },
    },
    {
      id: 'cancel',
      label: t('orders.cancelMany'),
      isDangerous: true,
      consequence: t('orders.cancelManyText'),
      items: ofDuty('offerings').filter(
        ({ status }) => status === 'ORDERED' || status === 'PAID' || status === 'READYTOMINT',
      ),
      fields: [reasonField(t)],
      run: (key, items, { reason = '' }) => {
        const body = { reason }
        const all = items.map((one) => ({ ...itemOf(one), body }))
        return api.post('/bulk/cancelOrder', { key, body: { items: all } })
      },
    },
  ]
}

function itemOf({ id, status }: Order) {
  return { order_id: id, expected_status: status }
}
