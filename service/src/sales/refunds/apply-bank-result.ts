import type { Money } from '../../platform/base/money.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { lockRefund, moveRefund, type RefundKey, setRefundReturned } from './refund.sql.ts'
import { refundEvent } from './refund-status.ts'

/** A bank's report about a refund transfer: it debited the account, or it returned the transfer and why. */
export interface BankResult {
  to: 'settled' | 'failed'
  amount: Money
  failure?: string
  /** The transfer may have been sent after the moment that the database was restored to. */
  isAfterRestore: boolean
  now: Date
}

/**
 * Moves a refund to the status that the bank reports. If the amount differs, or the status of the refund does not
 * allow the change, the refund stays unchanged and `problem` explains it to an operator.
 */
export async function applyBankResult(
  tx: Transaction,
  key: RefundKey,
  { to, amount, failure, isAfterRestore, now }: BankResult,
): Promise<'no such refund' | { refundId: string; problem?: string }> {
  const refund = await lockRefund(tx, key)
  if (!refund) return 'no such refund'
  const refundId = refund.id
  if (!refund.amount.equals(amount))
    return {
      refundId,
      problem: `The refund is ${refund.amount} ${refund.currency}, but the bank reported another amount.`,
    }
  if (to === 'failed' && refund.mayBePaid && (refund.status === 'failed' || refund.status === 'due')) {
    await setRefundReturned(tx, key, now)
    return { refundId }
  }
  const by = isAfterRestore || refund.mayBePaid ? 'bank about an unmarked one' : 'bank'
  if (!refundEvent(refund.status, to, by))
    return { refundId, problem: `The refund is ${refund.status}, so it cannot become ${to}.` }
  await moveRefund(tx, key.tenantId, refund, { to, now, by, ...(failure === undefined ? {} : { failure }) })
  return { refundId }
}

/** Reads the refund id from an end-to-end id: refund transfers use the refund id without dashes. */
export function refundIdOf(endToEndId: string | null): string | undefined {
  const [, ...parts] = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(
    endToEndId?.trim().toLowerCase() ?? '',
  ) ?? ['']
  return parts.length === 5 ? parts.join('-') : undefined
}
