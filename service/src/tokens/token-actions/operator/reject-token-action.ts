import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { requireUndecided } from '../require-undecided.ts'
import { tokenActionErrors } from '../token-action.errors.ts'
import { TokenAction, TokenActionPath } from '../token-action.schema.ts'
import { decideTokenAction, lockTokenAction } from '../token-action.sql.ts'
import { viewTokenAction } from '../token-action.view.ts'

export const rejectTokenAction = operatorOperation(
  {
    id: 'rejectTokenAction',
    summary: 'Reject a token action',
    description: 'The action is not executed. The user who proposed it can withdraw it this way too.',
    tag: 'Settlement',
    method: 'POST',
    path: '/token-actions/:actionId/reject',
    duty: 'token',
    approval: 'never',
    idempotency: 'optional',
    params: TokenActionPath,
    success: { status: 200, body: TokenAction },
    errors: [requestErrors.not_found, tokenActionErrors.token_action_not_in_state],
  },
  async ({ params }, { tenantId, tx, now, callerId, audit }) => {
    const key = { tenantId, ...params }
    const action = await lockTokenAction(tx, key)
    if (!action) throw new ApiError(requestErrors.not_found, 'This token action does not exist.')
    if (action.state === 'rejected') {
      audit('nothing changed')
      return viewTokenAction(action, now)
    }
    requireUndecided(action, now)
    await decideTokenAction(tx, key, { state: 'rejected', by: callerId, at: now, opId: null })
    audit({
      action: 'token_action.rejected',
      subject: { type: 'token_action', id: action.id },
      before: { state: 'proposed', proposed_by: action.proposedBy },
      after: { state: 'rejected' },
    })
    return viewTokenAction({ ...action, state: 'rejected', decidedBy: callerId, decidedAt: now }, now)
  },
)
