import type { RefundReporter, RefundStatus } from './refund-status.ts'

/** Facts about the transfer of a refund. */
export interface WhereMoneyIs {
  /** Time at which its last transfer was sent. */
  sentAt: Date | null
  /** Time at which a bank entry said that the last transfer came back. */
  returnedAt: Date | null
  /** A transfer was sent, and no bank entry says that it came back. An operator's word that it failed is no proof. */
  mayBePaid: boolean
}

interface Change {
  readonly to: RefundStatus
  readonly by: RefundReporter
  readonly now: Date
}

/** Returns where the money of a refund is after a change of its status. */
export function whereMoneyIs(
  refund: WhereMoneyIs & { status: RefundStatus; changedAt: Date },
  { to, by, now }: Change,
): WhereMoneyIs {
  const { status, mayBePaid, returnedAt, changedAt } = refund
  // Refunds that were sent before the column existed have no time.
  const sentAt = refund.sentAt ?? (status === 'sent' || status === 'settled' ? changedAt : null)
  if (to === 'sent') return { sentAt: now, returnedAt: null, mayBePaid: true }
  if (to === 'settled') return { sentAt: sentAt ?? now, returnedAt: null, mayBePaid: true }
  if (to !== 'failed') return { sentAt, returnedAt, mayBePaid }
  return by === 'operator'
    ? { sentAt, returnedAt: null, mayBePaid: true }
    : { sentAt, returnedAt: now, mayBePaid: false }
}
