import type { EventType } from '../../records/events/event-types.ts'
import type { refundStatuses } from './refund.schema.ts'

export type RefundStatus = (typeof refundStatuses)[number]

/** How money goes back. What failed is due again once somebody has looked why. */
const steps: Readonly<Record<RefundStatus, Readonly<Partial<Record<RefundStatus, EventType>>>>> = {
  due: { sent: 'refund.sent', withdrawn: 'refund.withdrawn' },
  sent: { settled: 'refund.settled', failed: 'refund.failed' },
  failed: { due: 'refund.due' },
  settled: {},
  withdrawn: {},
}

/**
 * What a bank does beyond that: it takes an amount off the account and, days later, brings it back. No person can say
 * so of money that is settled.
 */
const stepsOfBank: typeof steps = { ...steps, settled: { failed: 'refund.failed' } }

/** What is told when a refund takes this step; undefined where it cannot. */
export function refundEvent(
  from: RefundStatus,
  to: RefundStatus,
  by: 'person' | 'bank' = 'person',
): EventType | undefined {
  return (by === 'bank' ? stepsOfBank : steps)[from][to]
}
