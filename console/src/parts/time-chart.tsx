import '@mantine/charts/styles.css'
import { AreaChart, BarChart } from '@mantine/charts'
import i18next from 'i18next'

export interface ChartSeries {
  readonly name: string
  readonly label: string
  readonly color: string
}

interface TimeChartProps {
  readonly kind: 'area' | 'bars'
  /** One row per day: `day` and a number for each series. The numbers are for drawing only. */
  readonly data: readonly Readonly<Record<string, string | number>>[]
  readonly series: readonly ChartSeries[]
  /** A horizontal line with a label, such as the soft cap. */
  readonly limit?: { readonly value: number; readonly label: string } | undefined
  /** Unit shown after each figure. */
  readonly unit: string
}

const dayText = (day: string) =>
  new Intl.DateTimeFormat(i18next.language, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day))

/** Chart of figures by day. Loads after the page, because charts are larger than the rest of the console combined. */
export function TimeChart({ kind, data, series, limit, unit }: TimeChartProps) {
  const figure = (value: number) => `${new Intl.NumberFormat(i18next.language).format(value)} ${unit}`
  const short = (value: number) => new Intl.NumberFormat(i18next.language, { notation: 'compact' }).format(value)
  const shared = {
    h: 220,
    data: [...data],
    dataKey: 'day',
    series: [...series],
    withLegend: series.length > 1,
    valueFormatter: figure,
    xAxisProps: { tickFormatter: dayText, minTickGap: 24 },
    yAxisProps: { tickFormatter: short, width: 52 },
    gridAxis: 'x' as const,
    tickLine: 'none' as const,
  }
  if (kind === 'bars') return <BarChart {...shared} maxBarWidth={28} />
  return (
    <AreaChart
      {...shared}
      curveType="linear"
      withGradient={false}
      withDots={false}
      {...(limit && { referenceLines: [{ y: limit.value, label: limit.label, color: 'gray.6' }] })}
    />
  )
}
