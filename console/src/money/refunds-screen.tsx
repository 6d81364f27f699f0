import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, once, type Schemas } from '../api/client.ts'
import { type ListPage, onlyPage, useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { useSetSearch } from '../app/use-set-search.ts'
import { type Action, Actions } from '../parts/actions.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { optionsOf } from '../parts/filter.ts'
import { ListBar } from '../parts/list-bar.tsx'
import { Money } from '../parts/money.tsx'
import { moneyText } from '../parts/money-text.ts'
import { PageTitle } from '../parts/page-title.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { OrderLink } from './order-link.tsx'
import { RefundBulk } from './refund-bulk.tsx'

/** A refund read by its id does not contain the names of its order. */
type Refund = Schemas['Refund'] & Partial<Pick<Schemas['ListedRefund'], 'order'>>

const route = getRouteApi('/money/refunds')
const statuses = ['due', 'sent', 'settled', 'failed', 'withdrawn']

export function RefundsScreen() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const setSearch = useSetSearch()
  const { hide, refund, ...filters } = search
  const list = useList<Refund>(['refunds', refund ?? filters], (page) =>
    refund
      ? onlyRefund(refund)
      : bodyOf(api.GET('/refunds', { params: { query: { ...(filters as object), ...page } } })),
  )
  const columns = useColumns()
  const may = useMay()
  return (
    <div className="page page-list">
      <PageTitle title={t('nav.refunds')} count={list.count} />
      <ListBar
        list="listRefunds"
        columns={columns}
        search={search}
        onSearch={setSearch}
        filters={[
          { name: 'status', label: t('orders.status'), options: optionsOf(statuses) },
          { name: 'order_id', label: t('refunds.orderId') },
          ...(refund ? [{ name: 'refund', label: t('refunds.id') }] : []),
        ]}
      />
      <DataTable
        label={t('nav.refunds')}
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        hidden={hide}
        direction={search.direction}
        onDirection={(direction) => setSearch({ direction })}
        emptyText={t('refunds.empty')}
        {...(may('money') && {
          selectionActions: (refunds: readonly Refund[], clear: () => void) => (
            <RefundBulk refunds={refunds} onDone={clear} />
          ),
        })}
      />
    </div>
  )
}

/** Reads one refund as a list, for links to a single refund. */
async function onlyRefund(refundId: string): Promise<ListPage<Refund>> {
  return onlyPage([await bodyOf(api.GET('/refunds/{refundId}', { params: { path: { refundId } } }))])
}

function useColumns(): Column<Refund>[] {
  const { t } = useTranslation()
  const actionsOf = useRefundActions()
  return useMemo(
    () => [
      {
        id: 'order',
        header: t('statements.order'),
        width: 190,
        cell: ({ order_id: orderId, order }) => <OrderLink orderId={orderId} reference={order?.payment_reference} />,
      },
      {
        id: 'amount',
        header: t('orders.amount'),
        isRight: true,
        width: 150,
        cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
      },
      { id: 'reason', header: t('parts.reason'), cell: ({ reason }) => reason.replaceAll('_', ' ') },
      { id: 'status', header: t('orders.status'), width: 130, cell: ({ status }) => <State state={status} /> },
      { id: 'failure', header: t('refunds.failure'), cell: ({ failure }) => failure },
      {
        id: 'created',
        header: t('orders.created'),
        width: 140,
        isSorted: true,
        cell: ({ created_at: at }) => <Time time={at} isRelative />,
      },
      {
        id: 'actions',
        header: t('parts.actions'),
        width: 230,
        cell: (refund) => <Actions actions={actionsOf(refund)} isCompact />,
      },
    ],
    [t, actionsOf],
  )
}

function useRefundActions(): (refund: Refund) => Action[] {
  const { t, i18n } = useTranslation()
  const may = useMay()
  return ({ id, status, amount, currency, account_approved_at: approvedAt }) => {
    if (!may('money')) return []
    const params = (key: string) => ({ params: { path: { refundId: id }, header: once(key) } })
    const text = { amount: moneyText(amount, currency, i18n.language) }
    return [
      status === 'failed' && {
        id: 'retry',
        label: t('refunds.retry'),
        consequence: t('refunds.retryText', text),
        run: (key: string) => bodyOf(api.POST('/refunds/{refundId}/retry', params(key))),
        done: t('refunds.retried'),
      },
      status === 'due' && {
        id: 'send',
        label: t('refunds.send'),
        consequence: t('refunds.sendText', text),
        fields: [{ name: 'reference', label: t('orders.bankReference'), kind: 'text' as const }],
        run: (key: string, values: Readonly<Record<string, string>>) =>
          bodyOf(
            api.POST('/refunds/{refundId}/send', { ...params(key), body: { reference: values['reference'] ?? '' } }),
          ),
        done: t('refunds.sent'),
      },
      status === 'due' &&
        approvedAt === null && {
          id: 'approve-account',
          label: t('refunds.approveAccount'),
          consequence: t('refunds.approveAccountText', text),
          run: (key: string) => bodyOf(api.POST('/refunds/{refundId}/approve-account', params(key))),
          done: t('refunds.accountApproved'),
        },
      status === 'sent' && {
        id: 'settle',
        label: t('refunds.settle'),
        consequence: t('refunds.settleText', text),
        run: (key: string) => bodyOf(api.POST('/refunds/{refundId}/settle', params(key))),
        done: t('refunds.settled'),
      },
      status === 'sent' && {
        id: 'fail',
        label: t('refunds.fail'),
        isDangerous: true,
        consequence: t('refunds.failText', text),
        fields: [{ name: 'failure', label: t('refunds.failure'), kind: 'text' as const }],
        run: (key: string, values: Readonly<Record<string, string>>) =>
          bodyOf(api.POST('/refunds/{refundId}/fail', { ...params(key), body: { failure: values['failure'] ?? '' } })),
        done: t('refunds.failed'),
      },
    ].filter((action) => action !== false)
  }
}
