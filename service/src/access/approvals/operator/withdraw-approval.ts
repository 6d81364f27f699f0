import { directoryOperation, operatorOperation } from '../../../platform/api/declare/operation.ts'
import { closeApproval } from '../decide-approval.ts'
import { approvalDecision } from './approval-decision.ts'

const header = { ...approvalDecision, description: 'Ends a proposal of your own without running it.' } as const

export const withdrawApproval = operatorOperation(
  { ...header, id: 'withdrawApproval', summary: 'Withdraw an approval', path: '/approvals/:approvalId/withdraw' },
  ({ params }, context) => closeApproval(params.approvalId, 'withdrawn', { ...context, database: 'cell' }),
)

export const withdrawDirectoryApproval = directoryOperation(
  {
    ...header,
    id: 'withdrawDirectoryApproval',
    summary: 'Withdraw an approval about users or credentials',
    path: '/directory-approvals/:approvalId/withdraw',
  },
  ({ params }, context) => closeApproval(params.approvalId, 'withdrawn', { ...context, database: 'directory' }),
)
