import type { Money } from '../../platform/base/money.ts'
import type { EventSums } from '../../records/events/event.sql.ts'
import type { RefundStatus } from './refund-status.ts'
import { summedOffering } from './summed-offering.sql.ts'

/** Sums of an offering that count its refunds by status. */
export type RefundSumKind = `${'refunds' | 'refund amount'} ${RefundStatus}`

/** Returns the change of sums by a refund that moves to another status; `from` is null for a new refund. */
export function refundSums(
  { tenantId, orderId, amount }: { tenantId: string; orderId: string; amount: Money },
  from: RefundStatus | null,
  to: RefundStatus,
): EventSums {
  const counted = (status: RefundStatus, sign: 1n | -1n): Partial<Record<RefundSumKind, bigint>> => ({
    [`refunds ${status}`]: sign,
    [`refund amount ${status}`]: sign * amount.minor,
  })
  const offeringId = summedOffering(tenantId, orderId)
  return { offeringId, amounts: { ...(from && counted(from, -1n)), ...counted(to, 1n) } }
}
