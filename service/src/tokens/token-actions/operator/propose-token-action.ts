import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { newRowId } from '../../../platform/base/ids.ts'
import { OfferingPath } from '../../../sales/offerings/offering.schema.ts'
import { requireToken } from '../queue-token-action.ts'
import { tokenActionErrors } from '../token-action.errors.ts'
import { NewTokenAction, TokenAction } from '../token-action.schema.ts'
import { insertTokenAction } from '../token-action.sql.ts'
import { viewTokenAction } from '../token-action.view.ts'
import { detailsOf } from '../token-action-details.ts'

// What was right a week ago may not be so any more.
const openMs = 7 * 86_400_000

export const proposeTokenAction = operatorOperation(
  {
    id: 'proposeTokenAction',
    summary: 'Propose an action on a token',
    description: 'Nothing happens until another person, who is an admin, confirms it, within seven days.',
    tag: 'Settlement',
    method: 'POST',
    path: '/offerings/:offeringId/token-actions',
    role: 'operator',
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
    },
    success: { status: 201, body: TokenAction },
    errors: [requestErrors.not_found, tokenActionErrors.token_not_deployed],
  },
  async ({ params, body }, { tenantId, tx, now, callerId, audit }) => {
    const details = detailsOf(body)
    await requireToken(tx, { tenantId, ...params })
    const { kind, reason } = body
    const action = {
      id: newRowId(),
      offeringId: params.offeringId,
      kind,
      details,
      reason,
      proposedBy: callerId,
      createdAt: now,
      expiresAt: new Date(now.getTime() + openMs),
    }
    await insertTokenAction(tx, tenantId, action)
    const subject = { type: 'token_action', id: action.id }
    const after = { offering_id: params.offeringId, kind, ...details, reason }
    audit({ action: 'token_action.proposed', subject, after })
    return viewTokenAction({ ...action, state: 'proposed', decidedBy: null, decidedAt: null, opId: null }, now)
  },
)
