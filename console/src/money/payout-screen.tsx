import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { useHistory } from '../audit/use-history.tsx'
import type { Action } from '../parts/actions.tsx'
import { BackLink } from '../parts/back-link.tsx'
import { Card } from '../parts/card.tsx'
import { type Column, moneyColumn } from '../parts/columns.tsx'
import { Copied } from '../parts/copied.tsx'
import { moneyText } from '../parts/money-text.ts'
import { ObjectHeader } from '../parts/object-header.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'
import { saveBlob } from '../parts/save-blob.ts'
import { State } from '../parts/state.tsx'
import { TableCard } from '../parts/table-card.tsx'
import { Timeline } from '../parts/timeline.tsx'
import { dateText } from '../text/format.ts'
import { OrderLink } from './order-link.tsx'
import { PayoutSums } from './payout-sums.tsx'

type Payout = Schemas['Payout']
type Transfer = Schemas['PayoutTransfer']

const route = getRouteApi('/money/payouts/$payoutId')

export function PayoutScreen() {
  const { payoutId } = route.useParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['payout', payoutId],
    queryFn: () => api.get('/payouts/{payoutId}', { path: { payoutId } }),
  })
  return (
    <div className="page">
      {error && <ProblemCard problem={error} retry={() => void refetch()} />}
      {data && <PayoutPage payout={data} />}
    </div>
  )
}

function PayoutPage({ payout }: { payout: Payout }) {
  const { t } = useTranslation()
  const actions = usePayoutActions(payout)
  const history = useHistory(payout.id)
  const list = useList<Transfer>(['payout', payout.id, 'transfers'], (query) =>
    api.get('/payouts/{payoutId}/transfers', { path: { payoutId: payout.id }, query }),
  )
  return (
    <>
      <ObjectHeader
        breadcrumb={<BackLink to="/money/payouts" text={t('nav.payouts')} />}
        title={t('payouts.title', { date: dateText(payout.created_at) })}
        state={<State state={payout.status} />}
        id={<Copied text={payout.id} />}
        actions={actions}
        keyFacts={{
          [t('payouts.sum')]: <PayoutSums sums={payout.sums} />,
          [t('nav.refunds')]: payout.count,
          [t('payouts.settled')]: `${payout.refunds.settled} / ${payout.count}`,
        }}
      />
      <TableCard
        title={t('payouts.transfers')}
        list={list}
        columns={useTransferColumns()}
        idOf={({ refund_id: id }) => id}
        emptyText={t('payouts.noTransfers')}
      />
      <Card title={t('parts.history')}>
        <Timeline entries={history} />
      </Card>
    </>
  )
}

function useTransferColumns(): Column<Transfer>[] {
  const { t } = useTranslation()
  return [
    { id: 'name', header: t('payouts.creditor'), cell: ({ creditor_name: name }) => name },
    { id: 'iban', header: 'IBAN', cell: ({ creditor_iban: iban }) => <span className="mono">{iban}</span> },
    {
      id: 'source',
      header: t('payouts.source'),
      width: 160,
      cell: ({ source }) => (source === 'payer' ? t('payouts.fromPayer') : t('payouts.fromAccount')),
    },
    moneyColumn('amount', t('orders.amount'), 150, (one) => one.amount),
    { id: 'status', header: t('orders.status'), width: 130, cell: ({ status }) => <State state={status} /> },
    {
      id: 'order',
      header: t('statements.order'),
      width: 120,
      cell: ({ order_id: orderId }) => <OrderLink orderId={orderId} />,
    },
  ]
}

/** A release needs a second person. The first download marks the refunds as sent; later ones return the same file. */
function usePayoutActions({ id, status, count, sums }: Payout): Action[] {
  const { t, i18n } = useTranslation()
  const may = useMay()
  if (!may('money')) return []
  const sum = sums.map(({ amount, currency }) => moneyText(amount, currency, i18n.language)).join(', ')
  const params = (key: string) => ({ path: { payoutId: id }, key })
  const download: Action = {
    id: 'download',
    label: t('payouts.download'),
    consequence: status === 'downloaded' ? t('payouts.downloadAgainText') : t('payouts.downloadText', { count, sum }),
    run: async () =>
      saveBlob(`payout-${id}.xml`, await api.download('/payouts/{payoutId}/download', { path: { payoutId: id } })),
    done: t('payouts.downloaded'),
  }
  const release: Action = {
    id: 'release',
    label: t('payouts.release'),
    consequence: t('payouts.releaseText', { count, sum }),
    run: (key) => api.post('/payouts/{payoutId}/release', params(key)),
    done: t('payouts.released'),
  }
  const discard: Action = {
    id: 'discard',
    label: t('payouts.discard'),
    isDangerous: true,
    consequence: t('payouts.discardText', { count, sum }),
    run: (key) => api.post('/payouts/{payoutId}/discard', params(key)),
    done: t('payouts.discarded'),
  }
  if (status === 'open') return [release, discard]
  return status === 'released' ? [download, discard] : status === 'downloaded' ? [download] : []
}
