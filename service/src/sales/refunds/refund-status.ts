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

/**
 * A bank also debits transfers that are not marked as sent: the database was restored to an earlier moment, or
 * operators were wrong when they reported that the transfer failed.
 */
const unmarkedTransitions: Transitions = {
  ...bankTransitions,
  due: { ...transitions.due, settled: 'refund.settled' },
  failed: { ...transitions.failed, settled: 'refund.settled' },
}

const transitionsBy = {
  operator: transitions,
  bank: bankTransitions,
  'bank about an unmarked one': unmarkedTransitions,
}

/** Source of a report that a refund has changed. */
export type RefundReporter = keyof typeof transitionsBy

/** Returns the event of a transition; undefined if the transition is not allowed. */
export function refundEvent(
  from: RefundStatus,
  to: RefundStatus,
  by: RefundReporter = 'operator',
): EventType | undefined {
  return transitionsBy[by][from][to]
}
