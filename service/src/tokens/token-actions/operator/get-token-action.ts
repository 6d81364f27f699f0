import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { TokenAction, TokenActionPath } from '../token-action.schema.ts'
import { findTokenAction } from '../token-action.sql.ts'
import { viewTokenAction } from '../token-action.view.ts'

export const getTokenAction = operatorOperation(
  {
    id: 'getTokenAction',
    summary: 'Read a token action',
    description: 'Returns who proposed the action, who decided on it, and the chain op that executes it.',
    tag: 'Settlement',
    method: 'GET',
    path: '/token-actions/:actionId',
    duty: 'read',
    idempotency: 'none',
    params: TokenActionPath,
    success: { status: 200, body: TokenAction },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx, now }) => {
    const action = await findTokenAction(tx, { tenantId, ...params })
    if (!action) throw new ApiError(requestErrors.not_found, 'This token action does not exist.')
    return viewTokenAction(action, now)
  },
)
