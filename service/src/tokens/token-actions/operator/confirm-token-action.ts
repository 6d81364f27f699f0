import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { enqueueTokenAction, requireTokenAndSigner } from '../enqueue-token-action.ts'
import { requireUndecided } from '../require-undecided.ts'
import { tokenActionErrors } from '../token-action.errors.ts'
import { TokenAction, TokenActionPath } from '../token-action.schema.ts'
import { decideTokenAction, lockTokenAction } from '../token-action.sql.ts'
import { viewTokenAction } from '../token-action.view.ts'

export const confirmTokenAction = operatorOperation(
  {
    id: 'confirmTokenAction',
    summary: 'Confirm a token action',
    description:
      'Another user than the one who proposed the action confirms it. A worker then executes it; read the chain op ' +
      '`chain_op_id` for its progress. Confirming it again changes nothing.',
    tag: 'Settlement',
    method: 'POST',
    path: '/token-actions/:actionId/confirm',
    duty: 'token',
    approval: 'never',
    idempotency: 'optional',
    params: TokenActionPath,
    success: { status: 200, body: TokenAction },
    errors: [
      requestErrors.not_found,
      tokenActionErrors.second_admin_required,
      tokenActionErrors.token_action_not_in_state,
      tokenActionErrors.token_not_deployed,
    ],
  },
  async ({ params }, { tenantId, tx, now, callerId, audit }) => {
    const key = { tenantId, ...params }
    const action = await lockTokenAction(tx, key)
    if (!action) throw new ApiError(requestErrors.not_found, 'This token action does not exist.')
    if (action.proposedBy === callerId)
      throw new ApiError(
        tokenActionErrors.second_admin_required,
        'You proposed this token action: another user must confirm it.',
      )
    if (action.state === 'confirmed') {
      audit('nothing changed')
      return viewTokenAction(action, now)
    }
    requireUndecided(action, now)
    const token = await requireTokenAndSigner(tx, { tenantId, offeringId: action.offeringId })
    const opId = await enqueueTokenAction(tx, token, action)
    await decideTokenAction(tx, key, { state: 'confirmed', by: callerId, at: now, opId })
    audit({
      action: 'token_action.confirmed',
      subject: { type: 'token_action', id: action.id },
      before: { state: 'proposed', proposed_by: action.proposedBy },
      after: { state: 'confirmed', kind: action.kind, ...action.details, chain_op_id: opId },
    })
    return viewTokenAction({ ...action, state: 'confirmed', decidedBy: callerId, decidedAt: now, opId }, now)
  },
)
