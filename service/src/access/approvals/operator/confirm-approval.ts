import { directoryOperation, operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { approvalErrors } from '../approval.errors.ts'
import { ConfirmedApproval } from '../approval.schema.ts'
import { confirm } from '../decide-approval.ts'
import { approvalDecision } from './approval-decision.ts'

const header = {
  ...approvalDecision,
  description:
    'Runs the proposed operation in the name of its proposer and returns its result; the audit log names both ' +
    'persons. Needs the duty in `confirm_duty`, a signed-in person other than the proposer, and their passkey.',
  session: 'passkey',
  comparesUsers: true,
  runsProposed: true,
  success: { status: 200, body: ConfirmedApproval },
  errors: [requestErrors.not_found, requestErrors.subject_changed, ...Object.values(approvalErrors)],
} as const

export const confirmApproval = operatorOperation(
  { ...header, id: 'confirmApproval', summary: 'Confirm an approval', path: '/approvals/:approvalId/confirm' },
  ({ params }, context) => confirm(params.approvalId, { ...context, database: 'cell' }),
)

export const confirmDirectoryApproval = directoryOperation(
  {
    ...header,
    id: 'confirmDirectoryApproval',
    summary: 'Confirm an approval about users or credentials',
    path: '/directory-approvals/:approvalId/confirm',
  },
  ({ params }, context) => confirm(params.approvalId, { ...context, database: 'directory' }),
)
