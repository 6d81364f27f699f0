import type { Schemas } from '../api/client.ts'
import { Money } from '../parts/money.tsx'

/** The sums of a payout, one for each currency. */
export function PayoutSums({ sums }: Pick<Schemas['Payout'], 'sums'>) {
  return sums.map(({ currency, amount }) => (
    <span key={currency} style={{ marginRight: 8 }}>
      <Money amount={amount} currency={currency} />
    </span>
  ))
}
