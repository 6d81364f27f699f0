import type { Static } from 'typebox'
import type { ApprovalRow } from '../../platform/api/pipeline/approval.sql.ts'
import type { Approval } from './approval.schema.ts'

export function isApprovalExpired({ state, expiresAt }: Pick<ApprovalRow, 'state' | 'expiresAt'>, now: Date): boolean {
  return state === 'pending' && expiresAt <= now
}

export function viewApproval(row: ApprovalRow, now: Date): Static<typeof Approval> {
  return {
    id: row.id,
    operation: row.operation,
    subject_type: row.subjectType,
    subject_id: row.subjectId,
    amount: row.amountMinor,
    currency: row.currency,
    state: isApprovalExpired(row, now) ? 'expired' : row.state,
    confirm_duty: row.confirmDuty,
    proposed_by: row.proposedBy,
    proposed_at: row.proposedAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    decided_by: row.decidedBy,
    decided_at: row.decidedAt?.toISOString() ?? null,
  }
}
