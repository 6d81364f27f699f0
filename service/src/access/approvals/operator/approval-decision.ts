import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { approvalErrors } from '../approval.errors.ts'
import { Approval, ApprovalPath } from '../approval.schema.ts'

/** Header members of the operations that decide about a proposal. Confirming has a result and errors of its own. */
export const approvalDecision = {
  tag: 'Approvals',
  method: 'POST',
  duty: 'read',
  approval: 'never',
  idempotency: 'none',
  params: ApprovalPath,
  success: { status: 200, body: Approval },
  errors: [requestErrors.not_found, approvalErrors.approval_not_pending],
} as const
