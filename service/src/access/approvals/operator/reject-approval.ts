import { directoryOperation, operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { approvalErrors } from '../approval.errors.ts'
import { Approval, ApprovalPath } from '../approval.schema.ts'
import { closeApproval } from '../decide-approval.ts'

// Withdrawing rejects a proposal of one's own.
const header = {
  tag: 'Approvals',
  method: 'POST',
  duty: 'read',
  approval: 'never',
  idempotency: 'none',
  params: ApprovalPath,
  success: { status: 200, body: Approval },
  errors: [requestErrors.not_found, approvalErrors.approval_not_pending],
} as const
const rejecting = {
  ...header,
  description: 'Ends a proposal of another user without running it. Needs the duty in `confirm_duty`.',
} as const
const withdrawing = { ...header, description: 'Ends a proposal of your own without running it.' } as const

export const rejectApproval = operatorOperation(
  { ...rejecting, id: 'rejectApproval', summary: 'Reject an approval', path: '/approvals/:approvalId/reject' },
  ({ params }, context) => closeApproval(params.approvalId, 'rejected', { ...context, database: 'cell' }),
)

export const withdrawApproval = operatorOperation(
  { ...withdrawing, id: 'withdrawApproval', summary: 'Withdraw an approval', path: '/approvals/:approvalId/withdraw' },
  ({ params }, context) => closeApproval(params.approvalId, 'withdrawn', { ...context, database: 'cell' }),
)

export const rejectDirectoryApproval = directoryOperation(
  {
    ...rejecting,
    id: 'rejectDirectoryApproval',
    summary: 'Reject an approval about users or credentials',
    path: '/directory-approvals/:approvalId/reject',
  },
  ({ params }, context) => closeApproval(params.approvalId, 'rejected', { ...context, database: 'directory' }),
)

export const withdrawDirectoryApproval = directoryOperation(
  {
    ...withdrawing,
    id: 'withdrawDirectoryApproval',
    summary: 'Withdraw an approval about users or credentials',
    path: '/directory-approvals/:approvalId/withdraw',
  },
  ({ params }, context) => closeApproval(params.approvalId, 'withdrawn', { ...context, database: 'directory' }),
)
