import type { Schemas } from '../api/client.ts'
import { Money } from '../parts/money.tsx'

/** Sums of a payout, one per currency. */
export function PayoutSums({ sums }: Pick<Schemas['Payout'], 'sums'>) {
  return sums.map(({ currency, amount }, index) => (
    <span key={currency} style={{ marginLeft: index > 0 ? 8 : 0 }}>
      <Money amount={amount} currency={currency} />
    </span>
  ))
}
