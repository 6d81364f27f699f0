import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { openRequest } from '../../../platform/api/pipeline/propose.ts'
import { ApprovalPath, ApprovalWithRequest } from '../approval.schema.ts'
import { findApproval } from '../approval.sql.ts'
import { viewApproval } from '../approval.view.ts'

export const getDirectoryApproval = directoryOperation(
  {
    id: 'getDirectoryApproval',
    summary: 'Get an approval about users or credentials',
    description: 'With the request as it was proposed, so that you can see what you confirm.',
    tag: 'Approvals',
    method: 'GET',
    path: '/directory-approvals/:approvalId',
    duty: 'read',
    idempotency: 'none',
    params: ApprovalPath,
    success: { status: 200, body: ApprovalWithRequest },
    errors: [requestErrors.not_found],
  },
  async ({ params: { approvalId } }, context) => {
    const { tenantId, tx, now } = context
    const approval = await findApproval(tx, { tenantId, database: 'directory', approvalId })
    if (!approval) throw new ApiError(requestErrors.not_found, 'There is no such approval.')
    const { params, query, body = null } = await openRequest(context, approval)
    return { ...viewApproval(approval, now), request: { params: { ...params }, query, body } }
  },
)
