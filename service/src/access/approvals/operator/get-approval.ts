import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { ApprovalPath, ApprovalWithRequest } from '../approval.schema.ts'
import { findNamedApproval } from '../approval.sql.ts'
import { viewNamedApproval } from '../approval.view.ts'

export const getApproval = operatorOperation(
  {
    id: 'getApproval',
    summary: 'Get an approval',
    description:
      'With the request as it was proposed, so that you can see what you confirm. Personal data in it is masked.',
    tag: 'Approvals',
    method: 'GET',
    path: '/approvals/:approvalId',
    duty: 'read',
    namesCallers: true,
    idempotency: 'none',
    params: ApprovalPath,
    success: { status: 200, body: ApprovalWithRequest },
    errors: [requestErrors.not_found],
  },
  async ({ params: { approvalId } }, { tenantId, tx, now, callerNames, readProposed }) => {
    const approval = await findNamedApproval(tx, { tenantId, database: 'cell', approvalId })
    if (!approval) throw new ApiError(requestErrors.not_found, 'There is no such approval.')
    return { ...viewNamedApproval(approval, callerNames, now), request: await readProposed(approval) }
  },
)
