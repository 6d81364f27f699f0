import { Progress } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/client.ts'
import { percentText } from '../parts/decimal.ts'

/** Bar of the reserved and issued share of all units, with its percentage. */
export function Sold({ offering }: { offering: Schemas['OperatorOffering'] }) {
  const { t } = useTranslation()
  const [total, issued, reserved] = [offering.total_units, offering.issued_units, offering.reserved_units].map(BigInt)
  if (total === undefined || issued === undefined || reserved === undefined) return null
  const [issuedShare, reservedShare] = [percentText(issued, total), percentText(reserved, total)]
  return (
    <div className="line" style={{ flexWrap: 'nowrap' }}>
      <Progress.Root size={8} style={{ flex: 1 }}>
        <Progress.Section
          value={Number(issuedShare)}
          color="green"
          aria-label={t('offerings.issuedShare', { share: issuedShare })}
        />
        <Progress.Section
          value={Number(reservedShare)}
          color="indigo"
          aria-label={t('offerings.reservedShare', { share: reservedShare })}
        />
      </Progress.Root>
      <span className="small nowrap">{percentText(issued + reserved, total)} %</span>
    </div>
  )
}
