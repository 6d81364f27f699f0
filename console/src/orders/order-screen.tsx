import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { type PageParameters, useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { fileBody } from '../documents/file-body.ts'
import { BackLink } from '../parts/back-link.tsx'
import { Blockers } from '../parts/blockers.tsx'
import { Copied } from '../parts/copied.tsx'
import { Money } from '../parts/money.tsx'
import { ObjectHeader } from '../parts/object-header.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'
import { State } from '../parts/state.tsx'
import { Steps } from '../parts/steps.tsx'
import { Units } from '../parts/units.tsx'
import { useOrderActions } from './order-actions.ts'
import { OrderFacts } from './order-facts.tsx'
import { OrderMoney } from './order-money.tsx'
import { OrderRemedy } from './order-remedy.tsx'
import { stepsOf } from './order-steps.ts'

type Order = Schemas['OperatorOrder']

// Below the fold of most screens, so they load after the page.
const Documents = lazy(async () => ({ default: (await import('../documents/documents.tsx')).Documents }))
const ObjectTimeline = lazy(async () => ({ default: (await import('../timeline/object-timeline.tsx')).ObjectTimeline }))

const route = getRouteApi('/orders/$orderId')

export function OrderScreen() {
  const { orderId } = route.useParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['order', orderId],
    queryFn: () => api.get('/orders/{orderId}', { path: { orderId } }),
  })
  return (
    <div className="page">
      {error && !data && <ProblemCard problem={error} retry={() => void refetch()} />}
      {data && <OrderPage order={data} />}
    </div>
  )
}

function OrderPage({ order }: { order: Order }) {
  const { t } = useTranslation()
  const actions = useOrderActions(order)
  const may = useMay()
  const path = { orderId: order.id }
  const fetchTimeline = (query: PageParameters) => api.get('/orders/{orderId}/timeline', { path, query })
  // Shares its query with the timeline below.
  const { items: entries } = useList<Schemas['TimelineEntry']>(['timeline', order.id], fetchTimeline)
  const { offering, currency } = order
  return (
    <>
      <ObjectHeader
        breadcrumb={<BackLink to="/orders" text={t('nav.orders')} />}
        title={order.payment_reference}
        state={<State state={order.status} />}
        id={<Copied text={order.id} />}
        actions={actions}
        keyFacts={{
          [t('orders.total')]: <Money amount={order.total_amount} currency={currency} />,
          [t('orders.paid')]: <Money amount={order.paid_amount} currency={currency} />,
          [t('orders.units')]: <Units units={order.units} decimals={offering.decimals} symbol={offering.symbol} />,
        }}
      />
      <section className="card">
        <Steps steps={stepsOf(order, entries)} label={t('orders.progress')} />
      </section>
      <Blockers
        blockers={order.blockers}
        remedyOf={(blocker) => <OrderRemedy blocker={blocker} order={order} actions={actions} />}
      />
      <div className="columns">
        <div className="stack">
          <OrderMoney order={order} />
          <Suspense>
            <Documents
              subjectId={order.id}
              fetchPage={(query) => api.get('/orders/{orderId}/documents', { path, query })}
              upload={
                may('offerings', offering.id) &&
                ((kind, file) => api.post('/orders/{orderId}/documents', { path, query: { kind }, ...fileBody(file) }))
              }
            />
            <ObjectTimeline subject={{ type: 'order', id: order.id }} fetchPage={fetchTimeline} />
          </Suspense>
        </div>
        <OrderFacts order={order} />
      </div>
    </>
  )
}
