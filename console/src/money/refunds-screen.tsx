import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { onlyPage } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { type Action, offeredActions } from '../parts/actions.tsx'
import { actionsColumn, type Column, moneyColumn, timeColumn } from '../parts/columns.tsx'
import { optionsOf } from '../parts/filter.ts'
import { ListScreen, useFilteredList } from '../parts/list-screen.tsx'
import { moneyText } from '../parts/money-text.ts'
import { State } from '../parts/state.tsx'
import { OrderLink } from './order-link.tsx'
import { RefundBulk } from './refund-bulk.tsx'

/** A refund read by its id does not contain the names of its order. */
type Refund = Schemas['Refund'] & Partial<Pick<Schemas['ListedRefund'], 'order'>>

const route = getRouteApi('/money/refunds')
const statuses = ['due', 'sent', 'settled', 'failed', 'withdrawn']

export function RefundsScreen() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const { refund: refundId } = search
  const list = useFilteredList<Refund>('refunds', search, async (query) =>
    refundId
      ? onlyPage([await api.get('/refunds/{refundId}', { path: { refundId } })])
      : api.get('/refunds', { query }),
  )
  const columns = useColumns()
  const may = useMay()
  return (
    <ListScreen<Refund>
      title={t('nav.refunds')}
      operation="listRefunds"
      list={list}
      columns={columns}
      search={search}
      filters={[
        { name: 'status', label: t('orders.status'), options: optionsOf(statuses) },
        { name: 'order_id', label: t('refunds.orderId') },
        ...(refundId ? [{ name: 'refund', label: t('refunds.id') }] : []),
      ]}
      emptyText={t('refunds.empty')}
      selectionActions={may('money') && ((refunds, clear) => <RefundBulk refunds={refunds} onDone={clear} />)}
    />
  )
}

function useColumns(): Column<Refund>[] {
  const { t } = useTranslation()
  const actionsOf = useRefundActions()
  return [
    {
      id: 'order',
      header: t('statements.order'),
      width: 190,
      cell: ({ order_id: orderId, order }) => <OrderLink orderId={orderId} reference={order?.payment_reference} />,
    },
    moneyColumn('amount', t('orders.amount'), 150, (one) => one.amount),
    { id: 'reason', header: t('parts.reason'), cell: ({ reason }) => reason.replaceAll('_', ' ') },
    { id: 'status', header: t('orders.status'), width: 130, cell: ({ status }) => <State state={status} /> },
    { id: 'failure', header: t('refunds.failure'), cell: ({ failure }) => failure },
    timeColumn('created', t('orders.created'), (one) => one.created_at, { isSorted: true }),
    actionsColumn(t('parts.actions'), 230, actionsOf),
  ]
}

function useRefundActions(): (refund: Refund) => Action[] {
  const { t, i18n } = useTranslation()
  const may = useMay()
  return ({ id, status, amount, currency, account_approved_at: approvedAt }) => {
    if (!may('money')) return []
    const params = (key: string) => ({ path: { refundId: id }, key })
    const text = { amount: moneyText(amount, currency, i18n.language) }
    return offeredActions([
      status === 'failed' && {
        id: 'retry',
        label: t('refunds.retry'),
        consequence: t('refunds.retryText', text),
        run: (key) => api.post('/refunds/{refundId}/retry', params(key)),
        done: t('refunds.retried'),
      },
      status === 'due' && {
        id: 'send',
        label: t('refunds.send'),
        consequence: t('refunds.sendText', text),
        fields: [{ name: 'reference', label: t('orders.bankReference'), kind: 'text' }],
        run: (key, { reference = '' }) => api.post('/refunds/{refundId}/send', { ...params(key), body: { reference } }),
        done: t('refunds.sent'),
      },
      status === 'due' &&
        approvedAt === null && {
          id: 'approve-account',
          label: t('refunds.approveAccount'),
          consequence: t('refunds.approveAccountText', text),
          run: (key) => api.post('/refunds/{refundId}/approve-account', params(key)),
          done: t('refunds.accountApproved'),
        },
      status === 'sent' && {
        id: 'settle',
        label: t('refunds.settle'),
        consequence: t('refunds.settleText', text),
        run: (key) => api.post('/refunds/{refundId}/settle', params(key)),
        done: t('refunds.settled'),
      },
      status === 'sent' && {
        id: 'fail',
        label: t('refunds.fail'),
        isDangerous: true,
        consequence: t('refunds.failText', text),
        fields: [{ name: 'failure', label: t('refunds.failure'), kind: 'text' }],
        run: (key, { failure = '' }) => api.post('/refunds/{refundId}/fail', { ...params(key), body: { failure } }),
        done: t('refunds.failed'),
      },
    ])
  }
}
