import {
  type DirectoryContext,
  directoryOperation,
  type OperatorContext,
  operatorOperation,
} from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import type { ApprovalKey } from '../../../platform/api/pipeline/approval.sql.ts'
import { ApprovalPath, ApprovalWithRequest } from '../approval.schema.ts'
import { findNamedApproval } from '../approval.sql.ts'
import { viewNamedApproval } from '../approval.view.ts'

const header = {
  description:
    'With the request as it was proposed, so that you can see what you confirm. Personal data in it is masked.',
  tag: 'Approvals',
  method: 'GET',
  duty: 'read',
  namesCallers: true,
  idempotency: 'none',
  params: ApprovalPath,
  success: { status: 200, body: ApprovalWithRequest },
  errors: [requestErrors.not_found],
} as const

export const getApproval = operatorOperation(
  { ...header, id: 'getApproval', summary: 'Get an approval', path: '/approvals/:approvalId' },
  ({ params }, context) => read({ database: 'cell', ...params }, context),
)

export const getDirectoryApproval = directoryOperation(
  {
    ...header,
    id: 'getDirectoryApproval',
    summary: 'Get an approval about users or credentials',
    path: '/directory-approvals/:approvalId',
  },
  ({ params }, context) => read({ database: 'directory', ...params }, context),
)

async function read(
  key: Omit<ApprovalKey, 'tenantId'>,
  { tenantId, tx, now, callerNames, readProposed }: OperatorContext | DirectoryContext,
) {
  const approval = await findNamedApproval(tx, { tenantId, ...key })
  if (!approval) throw new ApiError(requestErrors.not_found, 'There is no such approval.')
  return { ...viewNamedApproval(approval, callerNames, now), request: await readProposed(approval) }
}
