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
    description:
      'Returns who proposed the action, who decided on it, and what became of the chain op that executes it.',
    tag: 'Settlement',
    method: 'GET',
    path: '/token-actions/:actionId',
    duty: 'read',
    namesCallers: true,
    idempotency: 'none',
    params: TokenActionPath,
    success: { status: 200, body: TokenAction },
    errors: [requestErrors.not_found],
  },
  async ({ params }, context) => {
    const { tenantId, tx, now } = context
    const action = await findTokenAction(tx, { tenantId, ...params }, now)
    if (!action) throw new ApiError(requestErrors.not_found, 'This token action does not exist.')
    return viewTokenAction(context, action)
  },
)
