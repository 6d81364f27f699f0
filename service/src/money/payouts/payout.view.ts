import type { Static } from 'typebox'
import { fromMinorUnits, toMinorUnits } from '../../platform/base/money.ts'
import { refundStatuses } from '../../sales/refunds/refund.schema.ts'
import type { Payout } from './payout.schema.ts'
import type { PayoutRow } from './payout.sql.ts'

type PayoutView = Static<typeof Payout>

export function viewPayout({ parts, ...row }: PayoutRow): PayoutView {
  return {
    id: row.id,
    status: row.status,
    currency: row.currency,
    execution_date: row.executionDate,
    count: countOf(parts),
    sums: sumsOf(parts),
    refunds: Object.fromEntries(
      refundStatuses.map((status) => [status, countOf(parts.filter((part) => part.status === status))]),
    ) as PayoutView['refunds'],
    created_at: row.createdAt.toISOString(),
    downloaded_at: row.downloadedAt?.toISOString() ?? null,
    discarded_at: row.discardedAt?.toISOString() ?? null,
  }
}

function countOf(parts: PayoutRow['parts']): number {
  return parts.reduce((sum, { count }) => sum + count, 0)
}

function sumsOf(parts: PayoutRow['parts']): PayoutView['sums'] {
  const byCurrency = Object.groupBy(parts, ({ currency }) => currency)
  return Object.entries(byCurrency).map(([currency, some = []]) => {
    const coins = some.reduce((sum, { amount }) => sum + (toMinorUnits(amount, currency) ?? 0n), 0n)
    return { currency, amount: fromMinorUnits(coins, currency), count: countOf(some) }
  })
}
