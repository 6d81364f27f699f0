import '@mantine/charts/styles.css'
import { DonutChart } from '@mantine/charts'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/client.ts'
import { percentText } from '../parts/decimal.ts'
import { unitsText } from '../parts/units.tsx'

/** Maximum number of holders with a slice of their own; the others share one. */
const slicesMax = 9
const colors = ['indigo.7', 'indigo.5', 'indigo.4', 'indigo.3', 'indigo.2', 'gray.6', 'gray.5', 'gray.4', 'gray.3']

interface HoldersChartProps {
  readonly holders: readonly Schemas['Holder'][]
  readonly offering: Pick<Schemas['OperatorOffering'], 'decimals' | 'symbol'>
}

/** Chart of the holders' shares. The table beside it contains the same figures as text. */
export function HoldersChart({ holders, offering }: HoldersChartProps) {
  const { t } = useTranslation()
  const all = holders.reduce((sum, { units }) => sum + BigInt(units), 0n)
  const share = (units: bigint) => Number(percentText(units, all))
  const data = holders.slice(0, slicesMax).map(({ name, address, units }, index) => ({
    name: name ?? `${address.slice(0, 6)}…${address.slice(-4)}`,
    value: share(BigInt(units)),
    color: colors[index] ?? 'gray.4',
  }))
  const rest = holders.slice(slicesMax).reduce((sum, { units }) => sum + BigInt(units), 0n)
  if (rest > 0n) data.push({ name: t('offerings.others'), value: share(rest), color: 'gray.2' })
  return (
    <div aria-hidden="true">
      <DonutChart
        data={data}
        size={190}
        thickness={26}
        withTooltip
        tooltipDataSource="segment"
        chartLabel={`${unitsText(String(all), offering.decimals)} ${offering.symbol}`}
        valueFormatter={(value) => `${value} %`}
        mx="auto"
      />
    </div>
  )
}
