import type { EventType } from '../../records/events/event-types.ts'
import type { refundStatuses } from './refund.schema.ts'

export type RefundStatus = (typeof refundStatuses)[number]

type Transitions = Readonly<Record<RefundStatus, Readonly<Partial<Record<RefundStatus, EventType>>>>>

/** The allowed transitions of a refund and their events. */
const transitions: Transitions = {
  due: { sent: 'refund.sent', withdrawn: 'refund.withdrawn' },
  sent: { settled: 'refund.settled', failed: 'refund.failed' },
  failed: { due: 'refund.due' },
  settled: {},
  withdrawn: {},
}

/**
 * A bank may also return a transfer days after it has debited the account. Operators cannot mark a settled refund as
 * failed.
 */
const bankTransitions: Transitions = { ...transitions, settled: { failed: 'refund.failed' } }

/** The event of a transition; undefined if the transition is not allowed. */
export function refundEvent(
  from: RefundStatus,
  to: RefundStatus,
  by: 'operator' | 'bank' = 'operator',
): EventType | undefined {
  return (by === 'bank' ? bankTransitions : transitions)[from][to]
}
