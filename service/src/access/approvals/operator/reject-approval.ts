import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { approvalErrors } from '../approval.errors.ts'
import { Approval, ApprovalPath } from '../approval.schema.ts'
import { closeApproval } from '../close-approval.ts'

export const rejectApproval = operatorOperation(
  {
    id: 'rejectApproval',
    summary: 'Reject an approval',
    description: 'Ends a proposal of another user without running it. Needs the duty in `confirm_duty`.',
    tag: 'Approvals',
    method: 'POST',
    path: '/approvals/:approvalId/reject',
    duty: 'read',
    approval: 'never',
    idempotency: 'none',
    params: ApprovalPath,
    success: { status: 200, body: Approval },
    errors: [requestErrors.not_found, approvalErrors.approval_not_pending],
  },
  async ({ params: { approvalId } }, context) =>
    closeApproval(approvalId, 'rejected', { ...context, database: 'cell' }),
)
