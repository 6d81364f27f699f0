import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { FigureWithTable } from '../parts/figure-with-table.tsx'
import { Money } from '../parts/money.tsx'
import { dayLabel } from '../text/format.ts'
import { type FundingDay, fundingOf } from './funding.ts'
import { OrderCounts } from './order-counts.tsx'

type Offering = Schemas['OperatorOffering']

const TimeChart = lazy(async () => ({ default: (await import('../parts/time-chart.tsx')).TimeChart }))

/** Progress of the sale: orders by state, amounts ordered and paid until each day, money in and out. */
export function OfferingOverview({ offering }: { offering: Offering }) {
  const { id: offeringId } = offering
  const params = { path: { offeringId } }
  const summary = useQuery({
    queryKey: ['offering', offeringId, 'summary'],
    queryFn: () => api.get('/offerings/{offeringId}/summary', params),
  })
  const series = useQuery({
    queryKey: ['offering', offeringId, 'series'],
    queryFn: () => api.get('/offerings/{offeringId}/series', params),
  })
  const days = series.data ? fundingOf(series.data) : []
  return (
    <>
      {summary.data && <OrderCounts summary={summary.data} />}
      {days.length > 0 && (
        <>
          <FundingFigure days={days} offering={offering} />
          <MoneyFigure days={days} currency={offering.currency} />
        </>
      )}
    </>
  )
}

/** Chart of the amounts ordered and paid until each day, against the soft cap. */
function FundingFigure({ days, offering }: { days: readonly FundingDay[]; offering: Offering }) {
  const { t } = useTranslation()
  const { currency, soft_cap_amount: cap } = offering
  const money = (amount: string) => <Money amount={amount} currency={currency} />
  return (
    <FigureWithTable
      title={t('offerings.funding')}
      columns={[t('offerings.day'), t('offerings.ordered'), t('offerings.paid')]}
      rows={days.map(({ day, ordered, paid }) => [dayLabel(day), money(ordered), money(paid)])}
      chart={
        <Suspense fallback={<div style={{ height: 220 }} />}>
          <TimeChart
            kind="area"
            unit={currency}
            data={days.map(({ day, ordered, paid }) => ({ day, ordered: Number(ordered), paid: Number(paid) }))}
            series={[
              { name: 'ordered', label: t('offerings.ordered'), color: 'gray.5' },
              { name: 'paid', label: t('offerings.paid'), color: 'indigo.6' },
            ]}
            limit={cap === null ? undefined : { value: Number(cap), label: t('offerings.softCap') }}
          />
        </Suspense>
      }
    />
  )
}

/** Chart of the money in and out on each day. */
function MoneyFigure({ days, currency }: { days: readonly FundingDay[]; currency: string }) {
  const { t } = useTranslation()
  const money = (amount: string) => <Money amount={amount} currency={currency} />
  return (
    <FigureWithTable
      title={t('offerings.moneyByDay')}
      columns={[t('offerings.day'), t('offerings.received'), t('offerings.refunded')]}
      rows={days.map(({ day, received, refunded }) => [dayLabel(day), money(received), money(refunded)])}
      chart={
        <Suspense fallback={<div style={{ height: 220 }} />}>
          <TimeChart
            kind="bars"
            unit={currency}
            data={days.map(({ day, received, refunded }) => ({
              day,
              received: Number(received),
              refunded: Number(refunded),
            }))}
            series={[
              { name: 'received', label: t('offerings.received'), color: 'indigo.6' },
              { name: 'refunded', label: t('offerings.refunded'), color: 'gray.5' },
            ]}
          />
        </Suspense>
      }
    />
  )
}
