import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { approvalErrors } from '../approval.errors.ts'
import { ApprovalPath, ConfirmedApproval } from '../approval.schema.ts'
import { confirm } from '../confirm.ts'

export const confirmDirectoryApproval = directoryOperation(
  {
    id: 'confirmDirectoryApproval',
    summary: 'Confirm an approval about users or credentials',
    description:
      'Runs the proposed operation in the name of its proposer and returns its result; the audit log names both ' +
      'persons. Needs the duty in `confirm_duty`, a signed-in person other than the proposer, and their passkey.',
    tag: 'Approvals',
    method: 'POST',
    path: '/directory-approvals/:approvalId/confirm',
    duty: 'read',
    session: 'passkey',
    approval: 'never',
    comparesUsers: true,
    runsProposed: true,
    idempotency: 'none',
    params: ApprovalPath,
    success: { status: 200, body: ConfirmedApproval },
    errors: [requestErrors.not_found, requestErrors.subject_changed, ...Object.values(approvalErrors)],
  },
  async ({ params: { approvalId } }, context) => confirm(approvalId, { ...context, database: 'directory' }),
)
