import { directoryOperation, operatorOperation } from '../../../platform/api/declare/operation.ts'
import { closeApproval } from '../decide-approval.ts'
import { approvalDecision } from './approval-decision.ts'

const header = {
  ...approvalDecision,
  description: 'Ends a proposal of another user without running it. Needs the duty in `confirm_duty`.',
} as const

export const rejectApproval = operatorOperation(
  { ...header, id: 'rejectApproval', summary: 'Reject an approval', path: '/approvals/:approvalId/reject' },
  ({ params }, context) => closeApproval(params.approvalId, 'rejected', { ...context, database: 'cell' }),
)

export const rejectDirectoryApproval = directoryOperation(
  {
    ...header,
    id: 'rejectDirectoryApproval',
    summary: 'Reject an approval about users or credentials',
    path: '/directory-approvals/:approvalId/reject',
  },
  ({ params }, context) => closeApproval(params.approvalId, 'rejected', { ...context, database: 'directory' }),
)
