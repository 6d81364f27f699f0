import type { Audit } from '../../platform/api/declare/audit.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import { recheckOrdersOfAccount } from '../blockers/recheck-orders.ts'
import type { AccountKey, ApprovalStatus } from './account.sql.ts'
import { type AccountDecision, upsertAccountApproval } from './account-approval.sql.ts'
import type { ApprovalRisk } from './approval-risks.ts'
import { recheckRegistrations } from './recheck-registrations.ts'

export interface ApprovalChange {
  readonly kind: 'kyc' | 'kyb'
  readonly status: ApprovalStatus
  readonly previousStatus: ApprovalStatus
  /** Given by operators and, when an approval expires, by the worker. */
  readonly reason?: string
  /** Risks that the approving person acknowledged. */
  readonly acknowledged?: readonly ApprovalRisk[]
  /** Absent if a person or an integrator decided, just now. */
  readonly decision?: AccountDecision
}

/**
 * Records a changed approval in the audit log and as an event, and enqueues a check of the orders that wait for it and
 * of the wallets whose registrations depend on it. Both integrators and operators change approvals.
 */
export async function recordApprovalChange(
  { tx, audit }: { tx: Transaction; audit: Audit },
  key: AccountKey,
  change: ApprovalChange,
): Promise<void> {
  auditApproval(audit, key.accountId, change)
  const { kind, status, previousStatus, decision } = change
  const data = { account_id: key.accountId, kind, status, previous_status: previousStatus }
  await tx.batch(
    (tx) => upsertAccountApproval(tx, key, kind, decision),
    (tx) => recordEvent(tx, key.tenantId, { type: 'account.approval_changed', data }),
    (tx) => recheckOrdersOfAccount(tx, key),
    (tx) => recheckRegistrations(tx, key),
  )
}

/** Q032: every change is audited, including an initial status other than NEW. */
export function auditApproval(
  audit: Audit,
  accountId: string,
  { kind, status, previousStatus, reason, acknowledged = [], decision }: ApprovalChange,
): void {
  audit({
    action: `account.${kind}_changed`,
    subject: { type: 'account', id: accountId },
    before: { status: previousStatus },
    after: {
      status,
      ...(reason !== undefined && { reason }),
      ...(acknowledged.length > 0 && { acknowledged }),
      ...(decision?.checkId && { check_id: decision.checkId }),
      ...(decision?.validUntil && { valid_until: decision.validUntil.toISOString() }),
    },
  })
}
