import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { FigureWithTable } from '../parts/figure-with-table.tsx'
import { dayLabel } from '../text/format.ts'
import { etherText } from './ether.ts'

const TimeChart = lazy(async () => ({ default: (await import('../parts/time-chart.tsx')).TimeChart }))

/** Days shown in the chart; the API returns a year. */
const daysMax = 30

/** Cost of transactions by day. */
export function GasDays() {
  const { t, i18n } = useTranslation()
  const { data } = useQuery({ queryKey: ['gas'], queryFn: () => api.get('/gas') })
  const days = (data?.results ?? []).toSorted((left, right) => left.day.localeCompare(right.day)).slice(-daysMax)
  if (days.length === 0) return null
  return (
    <FigureWithTable
      title={t('chain.gasByDay')}
      columns={[t('offerings.day'), t('offerings.blockchain'), t('chain.spent'), t('chain.transactions')]}
      rows={days.map(({ day, chain, spent_wei: wei, transaction_count: count }) => [
        dayLabel(day),
        chain,
        etherText(wei, i18n.language),
        count,
      ])}
      chart={
        <Suspense fallback={<div style={{ height: 220 }} />}>
          <TimeChart
            kind="bars"
            unit="ETH"
            data={days.map(({ day, spent_wei: wei }) => ({ day, spent: Number(wei) / 1e18 }))}
            series={[{ name: 'spent', label: t('chain.spent'), color: 'indigo.6' }]}
          />
        </Suspense>
      }
    />
  )
}
