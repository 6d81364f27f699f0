import type { Audit } from '../../platform/api/declare/audit.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import type { AccountKey, ApprovalStatus } from './account.sql.ts'
import { announceGateChange } from './recheck-mint-preconditions.ts'

export interface ApprovalChange {
  readonly kind: 'kyc' | 'kyb'
  readonly status: ApprovalStatus
  readonly previousStatus: ApprovalStatus
  /** What an operator gives as the reason; integrators give none. */
  readonly reason?: string
}

/**
 * An approval given or taken is told to whoever answers for it, to whoever follows the tenant, and to the orders that
 * wait for it, whoever changed it: an integrator or an operator.
 */
export async function tellApprovalChange(
  { tx, audit }: { tx: Transaction; audit: Audit },
  key: AccountKey,
  change: ApprovalChange,
): Promise<void> {
  auditApproval(audit, key.accountId, change)
  const { kind, status, previousStatus } = change
  const data = { account_id: key.accountId, kind, status, previous_status: previousStatus }
  await Promise.all([
    recordEvent(tx, key.tenantId, { type: 'account.approval_changed', data }),
    announceGateChange(tx, key),
  ])
}

/** Q032: every change is audited, also the one with which an account begins. */
export function auditApproval(
  audit: Audit,
  accountId: string,
  { kind, status, previousStatus, reason }: ApprovalChange,
): void {
  audit({
    action: `account.${kind}_changed`,
    subject: { type: 'account', id: accountId },
    before: { status: previousStatus },
    after: { status, ...(reason !== undefined && { reason }) },
  })
}
