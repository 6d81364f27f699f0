import type { PolicyThresholds } from '../../platform/api/declare/approval.ts'
import type { Money } from '../../platform/base/money.ts'
import type { RefundRow } from '../../sales/refunds/refund.sql.ts'
import type { LeftOut } from './transfer.ts'

/**
 * Separates refunds that no proven money covers: an operator recorded it by hand, and no second person has confirmed
 * it. A smaller refund of the same order can still be covered. A tenant without a second person for manual payments has
 * decided that one operator is enough.
 */
export function separateUncovered<Refund extends RefundRow & { coveredAmount: Money }>(
  refunds: readonly Refund[],
  policies: PolicyThresholds,
): { covered: Refund[]; uncovered: (LeftOut & { refundId: string })[] } {
  if (policies.manual_payment === null) return { covered: [...refunds], uncovered: [] }
  const left = new Map<string, Money>()
  const covered = refunds.filter(({ id, orderId, amount, coveredAmount }) => {
    // The money of an unassigned payment covers only its own refund.
    const source = orderId ?? id
    const available = left.get(source) ?? coveredAmount
    const isCovered = !amount.exceeds(available)
    left.set(source, isCovered ? available.minus(amount) : available)
    return isCovered
  })
  const uncovered = refunds
    .filter((refund) => !covered.includes(refund))
    .map(({ id }) => ({ refundId: id, ...notCovered }))
  return { covered, uncovered }
}

const notCovered: LeftOut = {
  reason: 'not_covered',
  message:
    'Its money was recorded by hand without a second person. Import the bank statement that reports it, then create ' +
    'another payout.',
}
