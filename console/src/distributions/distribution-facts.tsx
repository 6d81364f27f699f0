import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/client.ts'
import { Card } from '../parts/card.tsx'
import { Facts } from '../parts/facts.tsx'
import { Money } from '../parts/money.tsx'
import { Time } from '../parts/time.tsx'
import { Units } from '../parts/units.tsx'
import { dayLabel } from '../text/format.ts'
import { rateText } from './distribution-terms.ts'

interface DistributionFactsProps {
  readonly distribution: Schemas['DistributionPreview']
  readonly offering: Schemas['OperatorOffering'] | undefined
}

/** The terms, and the block that decides who is entitled. */
export function DistributionFacts({ distribution, offering }: DistributionFactsProps) {
  const { t, i18n } = useTranslation()
  const { rate_per_token: rate, total_amount: total, currency, source_account: account, supply } = distribution
  const isFraction = rate?.includes('/')
  return (
    <Card title={t('offerings.terms')}>
      <Facts
        facts={{
          [t('distributions.kind')]: t(`distributions.kinds.${distribution.kind}`),
          [t('distributions.rate')]: rate === null ? undefined : rateText(rate, currency, i18n.language),
          [t('distributions.exactRate')]: isFraction ? <span className="mono">{rate}</span> : undefined,
          [t('distributions.bases.total')]: total === null ? undefined : <Money amount={total} currency={currency} />,
          [t('distributions.recordAt')]: <Time time={distribution.record_at} />,
          [t('distributions.recordBlock')]: distribution.record_block ?? undefined,
          [t('distributions.supply')]:
            supply !== null && offering ? (
              <Units units={supply} decimals={offering.decimals} symbol={offering.symbol} />
            ) : undefined,
          [t('distributions.payOn')]: dayLabel(distribution.pay_on),
          [t('distributions.payer')]: account.account_holder,
          IBAN: <span className="mono">{account.iban}</span>,
          BIC: account.bic || undefined,
          [t('distributions.withholding')]:
            distribution.withholding.map(({ country, percent }) => `${country} ${percent} %`).join(', ') ||
            t('distributions.nothingWithheld'),
          [t('schedules.schedule')]:
            distribution.schedule_id === null ? undefined : (
              <Link className="link" to="/distributions/schedules">
                {t('schedules.period', { number: distribution.period_number ?? 0 })}
              </Link>
            ),
          [t('orders.created')]: <Time time={distribution.created_at} />,
        }}
      />
    </Card>
  )
}
