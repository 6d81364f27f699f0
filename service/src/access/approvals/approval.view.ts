import type { Static } from 'typebox'
import type { ApprovalRow } from '../../platform/api/pipeline/approval.sql.ts'
import { Money } from '../../platform/base/money.ts'
import type { Approval, NamedApproval } from './approval.schema.ts'
import type { NamedApprovalRow } from './approval.sql.ts'

export function isApprovalExpired({ state, expiresAt }: Pick<ApprovalRow, 'state' | 'expiresAt'>, now: Date): boolean {
  return state === 'pending' && expiresAt <= now
}

export function viewApproval(row: Omit<ApprovalRow, 'request' | 'secrets'>, now: Date): Static<typeof Approval> {
  return {
    id: row.id,
    operation: row.operation,
    subject_type: row.subjectType,
    subject_id: row.subjectId,
    amount: row.amountMinor,
    decimal_amount:
      row.amountMinor === null || row.currency === null
        ? null
        : Money.ofMinor(BigInt(row.amountMinor), row.currency).toString(),
    currency: row.currency,
    state: isApprovalExpired(row, now) ? 'expired' : row.state,
    confirm_duty: row.confirmDuty,
    offering_id: row.offeringId,
    proposed_by: row.proposedBy,
    proposed_at: row.proposedAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    decided_by: row.decidedBy,
    decided_at: row.decidedAt?.toISOString() ?? null,
  }
}

/** Callers are users and credentials, as are the subjects of approvals in the directory, so `callerNames` has both. */
export function viewNamedApproval(
  row: NamedApprovalRow,
  callerNames: ReadonlyMap<string, string>,
  now: Date,
): Static<typeof NamedApproval> {
  const nameOf = (id: string | null) => (id === null ? null : (callerNames.get(id) ?? null))
  return {
    ...viewApproval(row, now),
    subject_name: row.subjectName ?? nameOf(row.subjectId),
    offering_name: row.offeringName,
    proposed_by_name: nameOf(row.proposedBy),
    decided_by_name: nameOf(row.decidedBy),
  }
}
