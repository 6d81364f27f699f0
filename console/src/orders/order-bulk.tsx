import { useTranslation } from 'react-i18next'
import { api, bodyOf, once, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import type { BulkAction } from '../parts/bulk-action.ts'
import { BulkActions } from '../parts/bulk-actions.tsx'

type Order = Schemas['OperatorOrder']

interface OrderBulkProps {
  readonly orders: readonly Order[]
  readonly onDone: () => void
}

/** What can be done to many orders at once. */
export function OrderBulk({ orders, onDone }: OrderBulkProps) {
  const { t } = useTranslation()
  const may = useMay()
  const ofDuty = (duty: 'offerings' | 'settlement') => orders.filter(({ offering }) => may(duty, offering.id))
  const blockedBy = (code: Schemas['Blocker']['code']) => (order: Order) =>
    order.blockers.some((blocker) => blocker.code === code)
  const isOneOf =
    (...statuses: Order['status'][]) =>
    ({ status }: Order) =>
      statuses.includes(status)
  const params = (key: string) => ({ params: { header: once(key) } })
  const item = ({ id, status }: Order) => ({ order_id: id, expected_status: status })
  const actions: BulkAction<Order>[] = [
    {
      id: 'accept',
      label: t('orders.acceptMany'),
      consequence: t('orders.acceptManyText'),
      items: ofDuty('offerings').filter(blockedBy('acceptance_missing')),
      run: (key, items) =>
        bodyOf(api.POST('/bulk/acceptOrder', { ...params(key), body: { items: items.map((one) => item(one)) } })),
    },
    {
      id: 'release',
      label: t('orders.releaseMany'),
      consequence: t('orders.releaseManyText'),
      items: ofDuty('settlement').filter(blockedBy('mint_on_hold')),
      run: (key, items) =>
        bodyOf(api.POST('/bulk/releaseMintHold', { ...params(key), body: { items: items.map((one) => item(one)) } })),
    },
    {
      id: 'extend',
      label: t('orders.extendMany'),
      consequence: t('orders.extendText'),
      items: ofDuty('offerings').filter(isOneOf('ORDERED', 'NOPAYMENT')),
      fields: [{ name: 'payment_due_at', label: t('orders.due'), kind: 'time' }],
      run: (key, items, values) => {
        const body = { payment_due_at: new Date(values['payment_due_at'] ?? '').toISOString() }
        const all = items.map((one) => ({ ...item(one), body }))
        return bodyOf(api.POST('/bulk/extendPaymentDeadline', { ...params(key), body: { items: all } }))
      },
    },
    {
      id: 'cancel',
      label: t('orders.cancelMany'),
      isDangerous: true,
      consequence: t('orders.cancelManyText'),
      items: ofDuty('offerings').filter(isOneOf('ORDERED', 'PAID', 'READYTOMINT')),
      fields: [{ name: 'reason', label: t('parts.reason'), kind: 'long', hint: t('parts.reasonHint') }],
      run: (key, items, values) => {
        const body = { reason: values['reason'] ?? '' }
        const all = items.map((one) => ({ ...item(one), body }))
        return bodyOf(api.POST('/bulk/cancelOrder', { ...params(key), body: { items: all } }))
      },
    },
  ]
  return (
    <BulkActions
      actions={actions}
      selectedCount={orders.length}
      idOf={({ id }) => id}
      nameOf={({ payment_reference: reference, account }) => `${account.full_name}, ${reference}`}
      onDone={onDone}
    />
  )
}
