import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/client.ts'
import { type Column, figureColumn, timeColumn } from '../parts/columns.tsx'
import { Money } from '../parts/money.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { dayLabel } from '../text/format.ts'
import { rateText } from './distribution-terms.ts'

type Distribution = Schemas['Distribution']

/** Shows APPROVED as open work: an investor is done then, but a distribution still has to be paid. */
export function DistributionState({ status }: Pick<Distribution, 'status'>) {
  return <State state={status} {...(status === 'APPROVED' && { tone: 'attention' as const })} />
}

export function useDistributionColumns(): Column<Distribution>[] {
  const { t, i18n } = useTranslation()
  const { language } = i18n
  return [
    { id: 'kind', header: t('distributions.kind'), width: 100, cell: ({ kind }) => t(`distributions.kinds.${kind}`) },
    { id: 'offering', header: t('orders.offering'), cell: ({ offering_name: name }) => name },
    { id: 'status', header: t('orders.status'), width: 130, cell: (one) => <DistributionState {...one} /> },
    figureColumn('rate', t('distributions.rate'), 110, ({ rate_per_token: rate, currency }) =>
      rate === null ? <span className="muted">–</span> : rateText(rate, currency, language),
    ),
    figureColumn('amount', t('distributions.total'), 130, ({ amount, total_amount: total, currency }) => {
      const known = amount ?? total
      return known === null ? <span className="muted">–</span> : <Money amount={known} currency={currency} />
    }),
    figureColumn('holders', t('offerings.holders'), 80, ({ holders, calculated_at: at }) =>
      at === null ? <span className="muted">–</span> : holders,
    ),
    { id: 'record', header: t('distributions.recordAt'), width: 190, cell: ({ record_at: at }) => <Time time={at} /> },
    { id: 'pay', header: t('distributions.payOn'), width: 115, cell: ({ pay_on: day }) => dayLabel(day) },
    timeColumn('created', t('orders.created'), (one) => one.created_at, { isSorted: true }),
  ]
}
