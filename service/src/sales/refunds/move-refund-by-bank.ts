import { toMinorUnits } from '../../platform/base/money.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { lockRefund, moveRefund, type RefundRow } from './refund.sql.ts'
import { refundEvent } from './refund-status.ts'

/** What a bank says of a transfer of ours: that it took it off the account, or that it came back and why. */
export interface WordOfBank {
  to: 'settled' | 'failed'
  amount: string
  currency: string
  failure?: string
  now: Date
}

/**
 * Takes a refund where the bank says that it is. Nobody guesses: where the amount is another, or the refund is in a
 * state in which the bank cannot have said so, it stays as it is and the sentence tells a person why.
 */
export async function moveRefundByBank(
  tx: Transaction,
  key: { tenantId: string; refundId: string },
  { to, amount, currency, failure, now }: WordOfBank,
): Promise<'no such refund' | { refundId: string; problem?: string }> {
  const refund = await lockRefund(tx, key)
  if (!refund) return 'no such refund'
  const refundId = refund.id
  if (!isSameAmount(refund, amount, currency))
    return { refundId, problem: `The refund is of ${refund.amount} ${refund.currency}, the bank moved another amount.` }
  if (!refundEvent(refund.status, to, 'bank'))
    return { refundId, problem: `The refund is ${refund.status}, so the bank cannot have made it ${to}.` }
  await moveRefund(tx, key.tenantId, refund, { to, now, by: 'bank', ...(failure === undefined ? {} : { failure }) })
  return { refundId }
}

function isSameAmount(refund: RefundRow, amount: string, currency: string): boolean {
  const [ours, theirs] = [toMinorUnits(refund.amount, currency), toMinorUnits(amount, currency)]
  return refund.currency === currency && ours !== undefined && ours === theirs
}

/** The refund that a transfer names: its id without dashes is what we give a bank as end-to-end id. */
export function refundIdOf(endToEndId: string | null): string | undefined {
  const [, ...parts] = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(
    endToEndId?.trim().toLowerCase() ?? '',
  ) ?? ['']
  return parts.length === 5 ? parts.join('-') : undefined
}
