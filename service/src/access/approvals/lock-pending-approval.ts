import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import type { ApprovalKey, ApprovalRow } from '../../platform/api/pipeline/approval.sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { approvalErrors } from './approval.errors.ts'
import { lockApproval } from './approval.sql.ts'
import { isApprovalExpired } from './approval.view.ts'

/** Locks an approval that can still be decided; throws 404 or 409. */
export async function lockPendingApproval(tx: Transaction, key: ApprovalKey, now: Date): Promise<ApprovalRow> {
  const approval = await lockApproval(tx, key)
  if (!approval) throw new ApiError(requestErrors.not_found, 'There is no such approval.')
  if (isApprovalExpired(approval, now))
    throw new ApiError(
      approvalErrors.approval_not_pending,
      `The approval expired at ${approval.expiresAt.toISOString()}: propose the change again.`,
    )
  if (approval.state !== 'pending')
    throw new ApiError(approvalErrors.approval_not_pending, `The approval is already ${approval.state}.`)
  return approval
}
