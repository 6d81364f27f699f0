import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/client.ts'
import { HolderName } from '../offerings/holder-name.tsx'
import { Card } from '../parts/card.tsx'
import { isZero } from '../parts/decimal.ts'
import { Money } from '../parts/money.tsx'
import { SmallTable } from '../parts/small-table.tsx'
import { State } from '../parts/state.tsx'
import { Units } from '../parts/units.tsx'
import { dateText } from '../text/format.ts'

interface DistributionPreviewProps {
  readonly distribution: Schemas['DistributionPreview']
  readonly offering: Schemas['OperatorOffering'] | undefined
}

/** Shows a second person what they approve: sums, largest entitlements, and differences from the last distribution. */
export function DistributionPreview({ distribution, offering }: DistributionPreviewProps) {
  const { t } = useTranslation()
  const { currency, amount, remainder, burns, kind } = distribution
  const money = (value: string | null) => (value === null ? '–' : <Money amount={value} currency={currency} />)
  const figures = {
    [t('distributions.gross')]: money(distribution.gross_amount),
    [t('distributions.withheld')]: money(distribution.withheld_amount),
    [t('distributions.setApart')]: money(distribution.set_apart_amount),
    [t('distributions.remainder')]: money(remainder),
  }
  return (
    <>
      <Card title={t('distributions.preview')}>
        <div className="stack">
          <div className="key-facts">
            {Object.entries(figures).map(([name, value]) => (
              <div key={name}>
                <div className="small muted">{name}</div>
                <div className="figure">{value}</div>
              </div>
            ))}
          </div>
          <Totals distribution={distribution} />
          {amount !== null && remainder !== null && !isZero(remainder) && (
            <p className="muted">{t('distributions.remainderText')}</p>
          )}
          {kind === 'REDEMPTION' && <p>{t('distributions.burnCounts', { ...burns })}</p>}
          <SincePrevious distribution={distribution} />
        </div>
      </Card>
      <Largest distribution={distribution} offering={offering} />
    </>
  )
}

function Totals({ distribution: { totals, currency } }: Pick<DistributionPreviewProps, 'distribution'>) {
  const { t } = useTranslation()
  return (
    <SmallTable
      isFigures
      label={t('distributions.byStatus')}
      columns={[t('orders.status'), t('distributions.entitlements'), t('distributions.net')]}
      rows={totals.map(({ status, count, net_amount: net }) => [
        status,
        <State key="status" state={status} />,
        count,
        <Money key="net" amount={net} currency={currency} />,
      ])}
    />
  )
}

function SincePrevious({ distribution }: Pick<DistributionPreviewProps, 'distribution'>) {
  const { t } = useTranslation()
  const { since_previous: since } = distribution
  if (since === null) return <p className="muted">{t('distributions.first')}</p>
  return (
    <p>
      <Link className="link" to="/distributions/$distributionId" params={{ distributionId: since.distribution_id }}>
        {t('distributions.sincePrevious', { date: dateText(since.record_at) })}
      </Link>{' '}
      {t('distributions.sinceText', {
        added: since.holders_added,
        removed: since.holders_removed,
        changed: since.holders_changed,
      })}
    </p>
  )
}

function Largest({ distribution, offering }: DistributionPreviewProps) {
  const { t } = useTranslation()
  const { largest, currency } = distribution
  const money = (amount: string, index: number) => <Money key={index} amount={amount} currency={currency} />
  if (largest.length === 0) return null
  return (
    <Card title={t('distributions.largest')}>
      <div className="scroll-sideways">
        <SmallTable
          isFigures
          label={t('distributions.largest')}
          columns={[
            t('orders.investor'),
            t('orders.units'),
            ...(['gross', 'withheld', 'net'] as const).map((name) => t(`distributions.${name}`)),
          ]}
          rows={largest.map((one) => [
            one.id,
            <HolderName key="name" holder={{ account_id: one.account_id, name: one.account_name }} />,
            offering ? <Units key="units" units={one.units} decimals={offering.decimals} /> : one.units,
            ...[one.gross_amount, one.withheld_amount, one.net_amount].map(money),
          ])}
        />
      </div>
    </Card>
  )
}
