import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { Actions, reasonField } from '../parts/actions.tsx'
import { type Column, moneyColumn, textColumn } from '../parts/columns.tsx'
import { moneyText } from '../parts/money-text.ts'
import { State } from '../parts/state.tsx'
import { TableCard } from '../parts/table-card.tsx'
import { Time } from '../parts/time.tsx'

type Order = Schemas['OperatorOrder']
type Payment = Schemas['Payment']
type Refund = Schemas['Refund']

/** Payments and refunds of an order. */
export function OrderMoney({ order }: { order: Order }) {
  const { t } = useTranslation()
  const payments = useList<Payment>(['order', order.id, 'payments'], (query) =>
    api.get('/orders/{orderId}/payments', { path: { orderId: order.id }, query }),
  )
  const refunds = useList<Refund>(['refunds', { order_id: order.id }], (page) =>
    api.get('/refunds', { query: { order_id: order.id, ...page } }),
  )
  const paymentColumns = usePaymentColumns(order)
  const refundColumns = useRefundColumns()
  return (
    <>
      <TableCard
        title={t('orders.payments')}
        list={payments}
        emptyText={t('orders.noPayments')}
        columns={paymentColumns}
      />
      {refunds.items.length > 0 && (
        <TableCard title={t('nav.refunds')} list={refunds} emptyText={t('refunds.empty')} columns={refundColumns} />
      )}
    </>
  )
}

function usePaymentColumns(order: Order): Column<Payment>[] {
  const { t } = useTranslation()
  return [
    moneyColumn('amount', t('orders.amount'), 140, (one) => one.amount),
    { id: 'provider', header: t('orders.from'), cell: ({ provider }) => provider.replaceAll('_', ' ') },
    textColumn('reference', t('orders.bankReference'), (one) => one.provider_reference, 'mono'),
    {
      id: 'received',
      header: t('orders.receivedAt'),
      width: 140,
      cell: ({ received_at: at }) => <Time time={at} isRelative isBooking />,
    },
    {
      id: 'actions',
      header: t('parts.actions'),
      width: 165,
      cell: (payment) => <PaymentActions payment={payment} order={order} />,
    },
  ]
}

function useRefundColumns(): Column<Refund>[] {
  const { t } = useTranslation()
  return [
    moneyColumn('amount', t('orders.amount'), 140, (one) => one.amount),
    { id: 'reason', header: t('parts.reason'), cell: ({ reason }) => reason.replaceAll('_', ' ') },
    { id: 'status', header: t('orders.status'), cell: ({ status }) => <State state={status} /> },
    { id: 'changed', header: t('parts.changed'), width: 190, cell: ({ changed_at: at }) => <Time time={at} /> },
  ]
}

/** Statuses in which a payment can still be detached from an order. */
const reversible: readonly string[] = ['ORDERED', 'PAID', 'READYTOMINT', 'NOPAYMENT', 'CANCELLED']

/** Detaches a payment from its order, and marks one that was detached. */
function PaymentActions({ payment, order }: { payment: Payment; order: Order }) {
  const { t, i18n } = useTranslation()
  const may = useMay()
  if (payment.reversed_at !== null) return <State state="payment_reversed" label={t('payment.reversed')} />
  if (!may('money') || !reversible.includes(order.status)) return null
  return (
    <Actions
      isCompact
      actions={[
        {
          id: 'reverse',
          label: t('orders.reverse'),
          isDangerous: true,
          consequence: t('orders.reverseText', { amount: moneyText(payment.amount, payment.currency, i18n.language) }),
          fields: [reasonField(t)],
          run: (key, { reason = '' }) =>
            api.post('/payments/{paymentId}/reverse', { path: { paymentId: payment.id }, key, body: { reason } }),
          done: t('orders.reversed'),
        },
      ]}
    />
  )
}
