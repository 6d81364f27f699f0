import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { approvalErrors } from '../approval.errors.ts'
import { Approval, ApprovalPath } from '../approval.schema.ts'
import { closeApproval } from '../close-approval.ts'

export const rejectDirectoryApproval = directoryOperation(
  {
    id: 'rejectDirectoryApproval',
    summary: 'Reject an approval about users or credentials',
    description: 'Ends a proposal of another user without running it. Needs the duty in `confirm_duty`.',
    tag: 'Approvals',
    method: 'POST',
    path: '/directory-approvals/:approvalId/reject',
    duty: 'read',
    approval: 'never',
    idempotency: 'none',
    params: ApprovalPath,
    success: { status: 200, body: Approval },
    errors: [requestErrors.not_found, approvalErrors.approval_not_pending],
  },
  async ({ params: { approvalId } }, context) =>
    closeApproval(approvalId, 'rejected', { ...context, database: 'directory' }),
)
