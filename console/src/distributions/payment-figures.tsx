import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/client.ts'
import { add, isZero } from '../parts/decimal.ts'
import { Facts } from '../parts/facts.tsx'
import { Money } from '../parts/money.tsx'

type Distribution = Schemas['DistributionPreview']

/** Shows the net amount that the bank files pay and the tax withheld from the gross amount. */
export function PaymentFigures({ distribution }: { distribution: Distribution }) {
  const { t } = useTranslation()
  const { currency, withheld_amount: withheld, gross_amount: gross } = distribution
  const money = (amount: string) => <Money amount={amount} currency={currency} />
  const [due, others] = [netOf(distribution, (status) => status === 'due'), netOf(distribution, isElsewhere)]
  return (
    <Facts
      isFigures
      facts={{
        [t('distributions.toBePaid')]: <strong>{money(due)}</strong>,
        [t('distributions.withheld')]: money(withheld),
        [t('distributions.notPaidNow')]: isZero(others) ? undefined : money(others),
        [t('distributions.gross')]: money(gross),
      }}
    />
  )
}

/** True for an entitlement that is set apart, returned, or already sent to the bank. */
const isElsewhere = (status: string) => status !== 'due'

export function netOf({ totals }: Distribution, isCounted: (status: string) => boolean): string {
  return totals.filter(({ status }) => isCounted(status)).reduce((sum, { net_amount: net }) => add(sum, net), '0')
}
