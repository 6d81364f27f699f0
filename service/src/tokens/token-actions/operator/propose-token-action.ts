import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { newRowId } from '../../../platform/base/ids.ts'
import { OfferingPath } from '../../../sales/offerings/offering.schema.ts'
import { requireTokenAndSigner } from '../enqueue-token-action.ts'
import { tokenActionErrors } from '../token-action.errors.ts'
import { NewTokenAction, TokenAction } from '../token-action.schema.ts'
import { insertTokenAction } from '../token-action.sql.ts'
import { viewTokenAction } from '../token-action.view.ts'
import { parseTokenActionDetails } from '../token-action-details.ts'

// The reason for an action may no longer be valid after a week.
const expiresAfterMs = 7 * 86_400_000

export const proposeTokenAction = operatorOperation(
  {
    id: 'proposeTokenAction',
    summary: 'Propose a token action',
    description:
      'Nothing happens until another user, who is an admin, confirms the action within seven days. If the admin of ' +
      "the token is not the tenant's signer but, for example, a multisig, it has to grant the signer the role for " +
      'the action first; without the role the chain op ends as `REVERTED`, with the role in `failure`.',
    tag: 'Settlement',
    method: 'POST',
    path: '/offerings/:offeringId/token-actions',
    duty: 'token',
    approval: 'never',
    idempotency: 'optional',
    params: OfferingPath,
    body: NewTokenAction,
    bodyExamples: {
      freeze: {
        kind: 'FREEZE',
        wallet_address: '0x52908400098527886E0F7030069857D2E4169EE7',
        units: '100000000',
        reason: 'Court order 7/26',
      },
      pause: { kind: 'PAUSE', reason: 'The registry is being moved' },
      set_cap: { kind: 'SET_CAP', units: '200000000000000', reason: 'Second tranche' },
    },
    success: { status: 201, body: TokenAction },
    errors: [requestErrors.not_found, tokenActionErrors.token_not_deployed],
  },
  async ({ params, body }, { tenantId, tx, now, callerId, audit }) => {
    const details = parseTokenActionDetails(body)
    await requireTokenAndSigner(tx, { tenantId, ...params })
    const { kind, reason } = body
    const action = {
      id: newRowId(),
      offeringId: params.offeringId,
      kind,
      details,
      reason,
      proposedBy: callerId,
      createdAt: now,
      expiresAt: new Date(now.getTime() + expiresAfterMs),
    }
    await insertTokenAction(tx, tenantId, action)
    const subject = { type: 'token_action', id: action.id }
    const after = { offering_id: params.offeringId, kind, ...details, reason }
    audit({ action: 'token_action.proposed', subject, after })
    return viewTokenAction({ ...action, state: 'proposed', decidedBy: null, decidedAt: null, opId: null }, now)
  },
)
