import type { Static } from 'typebox'
import type { Audit } from '../../platform/api/declare/audit.ts'
import type { OperatorFacts } from '../../platform/api/declare/operator-facts.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { Approval } from './approval.schema.ts'
import { decideLockedApproval } from './approval.sql.ts'
import { viewApproval } from './approval.view.ts'
import { lockPendingApproval } from './lock-pending-approval.ts'
import { recordApprovalEvent } from './record-approval-event.ts'
import { requireConfirmDuty } from './require-confirm-duty.ts'

interface CloseContext extends Pick<OperatorFacts, 'operator'> {
  readonly tenantId: string
  readonly database: 'cell' | 'directory'
  readonly tx: Transaction
  readonly now: Date
  readonly audit: Audit
}

/** Rejects another user's proposal, which needs the duty to confirm it, or withdraws the caller's own. */
export async function closeApproval(
  approvalId: string,
  state: 'rejected' | 'withdrawn',
  { tenantId, database, tx, now, operator, audit }: CloseContext,
): Promise<Static<typeof Approval>> {
  const key = { tenantId, database, approvalId }
  const approval = await lockPendingApproval(tx, key, now)
  if (state === 'withdrawn' && approval.proposedBy !== operator.userId)
    throw new ApiError(requestErrors.insufficient_duty, 'Only the user who proposed a change can withdraw it.')
  if (state === 'rejected') requireConfirmDuty(operator, approval, 'reject')
  await decideLockedApproval(tx, key, { state, by: operator.userId, at: now })
  await recordApprovalEvent(tx, key, state, { operation: approval.operation, offering_id: approval.offeringId })
  const subject = { type: 'approval', id: approvalId }
  audit({ action: `approval.${state}`, subject, after: { operation: approval.operation } })
  return viewApproval({ ...approval, state, decidedBy: operator.userId, decidedAt: now }, now)
}
