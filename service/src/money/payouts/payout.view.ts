import type { Static } from 'typebox'
import { Money } from '../../platform/base/money.ts'
import { refundStatuses } from '../../sales/refunds/refund.schema.ts'
import type { Payout } from './payout.schema.ts'
import type { PayoutWithTotals } from './payout.sql.ts'

type PayoutView = Static<typeof Payout>

export function viewPayout({ refundTotals, ...row }: PayoutWithTotals): PayoutView {
  return {
    id: row.id,
    status: row.status,
    currency: row.currency,
    execution_date: row.executionDate,
    count: countOf(refundTotals),
    sums: payoutSums(refundTotals).map(({ amount, count }) => ({
      currency: amount.currency,
      amount: amount.toString(),
      count,
    })),
    refunds: Object.fromEntries(
      refundStatuses.map((status) => [status, countOf(refundTotals.filter((total) => total.status === status))]),
    ) as PayoutView['refunds'],
    sent_before: row.sentBefore,
    earlier_payouts: row.earlierPayouts.map(({ payoutId, downloadedAt, refunds }) => ({
      payout_id: payoutId,
      downloaded_at: new Date(downloadedAt).toISOString(),
      refunds,
    })),
    created_at: row.createdAt.toISOString(),
    released_at: row.releasedAt?.toISOString() ?? null,
    downloaded_at: row.downloadedAt?.toISOString() ?? null,
    discarded_at: row.discardedAt?.toISOString() ?? null,
  }
}

function countOf(refundTotals: PayoutWithTotals['refundTotals']): number {
  return refundTotals.reduce((sum, { count }) => sum + count, 0)
}

/** Returns the sum of each currency. */
export function payoutSums(refundTotals: PayoutWithTotals['refundTotals']): { amount: Money; count: number }[] {
  const byCurrency = Object.groupBy(refundTotals, ({ currency }) => currency)
  return Object.entries(byCurrency).map(([currency, ofCurrency = []]) => {
    const sum = ofCurrency.reduce(
      (total, { amount }) => total.plus(Money.parse(amount, currency)),
      Money.zero(currency),
    )
    return { amount: sum, count: countOf(ofCurrency) }
  })
}
