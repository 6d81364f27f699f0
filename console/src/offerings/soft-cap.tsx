import { Progress } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/client.ts'
import { Card } from '../parts/card.tsx'
import { aligned, percentText } from '../parts/decimal.ts'
import { Money } from '../parts/money.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { Units } from '../parts/units.tsx'

type Offering = Schemas['OperatorOffering']

/** Shows whether enough was paid, and what happens if it was not. */
export function SoftCap({ offering }: { offering: Offering }) {
  const { t } = useTranslation()
  if (offering.soft_cap_amount === null && offering.soft_cap_units === null) return null
  return (
    <Card
      title={t('offerings.softCap')}
      className={isMissed(offering) ? 'card-attention' : ''}
      aside={<SoftCapState offering={offering} />}
    >
      {offering.soft_cap_met_at ? (
        <p className="small muted">
          <Cap offering={offering} /> {t('offerings.softCapReachedAt')} <Time time={offering.soft_cap_met_at} />
        </p>
      ) : (
        <Funded offering={offering} />
      )}
    </Card>
  )
}

/** Shows the soft cap, as an amount or in units. */
function Cap({ offering }: { offering: Offering }) {
  const { soft_cap_amount: amount, soft_cap_units: units, currency, decimals, symbol } = offering
  if (amount === null) return <Units units={units ?? '0'} decimals={decimals} symbol={symbol} />
  return <Money amount={amount} currency={currency} />
}

/** Shows how much of the cap is paid. The service stops counting once the cap is met. */
function Funded({ offering }: { offering: Offering }) {
  const { t } = useTranslation()
  const { soft_cap_amount: amount, currency, decimals, symbol } = offering
  const share = amount === null ? shareOfUnits(offering) : shareOfAmount(offering)
  return (
    <>
      <Progress value={Math.min(100, Number(share))} color="indigo" size={8} aria-label={t('offerings.softCap')} />
      <p className="small muted" style={{ marginTop: 8 }}>
        {amount === null ? (
          <Units units={offering.funded_units} decimals={decimals} symbol={symbol} />
        ) : (
          <Money amount={offering.funded_amount} currency={currency} />
        )}{' '}
        {t('offerings.of')} <Cap offering={offering} /> ({share} %)
      </p>
    </>
  )
}

function SoftCapState({ offering }: { offering: Offering }) {
  const { t } = useTranslation()
  if (offering.refunded_all_at)
    return (
      <span className="line">
        <State state="refunded" tone="done" label={t('offerings.refundedAll')} />
        <Time time={offering.refunded_all_at} />
      </span>
    )
  if (offering.refund_all_at) return <State state="refunding" tone="progress" label={t('offerings.refunding')} />
  if (offering.soft_cap_met_at) return <State state="met" tone="done" label={t('offerings.softCapMet')} />
  if (isMissed(offering)) return <State state="missed" tone="attention" label={t('offerings.softCapMissed')} />
  return <State state="open" tone="waiting" label={t('offerings.softCapOpen')} />
}

/** Returns true if the sale closed below its soft cap and nobody has decided on refunds. */
export function isMissed({ status, soft_cap_met_at: metAt, refund_all_at: refundAt, ...offering }: Offering): boolean {
  const hasCap = offering.soft_cap_amount !== null || offering.soft_cap_units !== null
  return hasCap && status === 'CLOSED' && metAt === null && refundAt === null
}

function shareOfUnits({ funded_units: funded, soft_cap_units: cap }: Offering): string {
  return percentText(BigInt(funded), BigInt(cap ?? '1'))
}

function shareOfAmount({ funded_amount: funded, soft_cap_amount: cap }: Offering): string {
  const [part, whole] = aligned(funded, cap ?? '1')
  return percentText(part, whole)
}
