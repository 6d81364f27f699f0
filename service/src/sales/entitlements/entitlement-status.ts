import type { EventType } from '../../records/events/event-types.ts'
import type { entitlementStatuses } from './entitlement.schema.ts'

export type EntitlementStatus = (typeof entitlementStatuses)[number]

/** Event of each allowed change; null if integrators are not told about it. */
type Transitions = Readonly<Partial<Record<EntitlementStatus, Partial<Record<EntitlementStatus, EventType | null>>>>>

/** A bank may return a transfer days after it has debited the account. */
const transitions: Transitions = {
  due: { sent: null },
  sent: { paid: 'entitlement.paid', returned: 'entitlement.failed' },
  paid: { returned: 'entitlement.failed' },
  returned: { due: null },
}

/** After a restore, a bank also reports transfers that the database does not know it has sent. */
const restoredTransitions: Transitions = { ...transitions, due: { sent: null, paid: 'entitlement.paid' } }

/** Returns the event of a transition, or null if it has none; undefined if the transition is not allowed. */
export function entitlementEvent(
  from: EntitlementStatus,
  to: EntitlementStatus,
  isAfterRestore = false,
): EventType | null | undefined {
  return (isAfterRestore ? restoredTransitions : transitions)[from]?.[to]
}
