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
          <DaysFigure days={days} offering={offering} kind="funding" />
          <DaysFigure days={days} offering={offering} kind="moneyByDay" />
        </>
      )}
    </>
  )
}

interface DaysFigureProps {
  readonly days: readonly FundingDay[]
  readonly offering: Offering
  /** Totals until each day, against the soft cap, or the amounts of each day. */
  readonly kind: 'funding' | 'moneyByDay'
}

const seriesOf = { funding: ['ordered', 'paid'], moneyByDay: ['received', 'refunded'] } as const

/** Chart of two amounts by day, the money that counts most in colour. */
function DaysFigure({ days, offering: { currency, soft_cap_amount: cap }, kind }: DaysFigureProps) {
  const { t } = useTranslation()
  const names = seriesOf[kind]
  const isTotal = kind === 'funding'
  return (
    <FigureWithTable
      title={t(`offerings.${kind}`)}
      columns={[t('offerings.day'), ...names.map((name) => t(`offerings.${name}`))]}
      rows={days.map((one) => [
        dayLabel(one.day),
        ...names.map((name) => <Money key={name} amount={one[name]} currency={currency} />),
      ])}
      chart={
        <Suspense fallback={<div style={{ height: 220 }} />}>
          <TimeChart
            kind={isTotal ? 'area' : 'bars'}
            unit={currency}
            data={days.map((one) => ({
              day: one.day,
              ...Object.fromEntries(names.map((name) => [name, Number(one[name])])),
            }))}
            series={names.map((name) => ({
              name,
              label: t(`offerings.${name}`),
              color: name === 'paid' || name === 'received' ? 'indigo.6' : 'gray.5',
            }))}
            limit={isTotal && cap !== null ? { value: Number(cap), label: t('offerings.softCap') } : undefined}
          />
        </Suspense>
      }
    />
  )
}
