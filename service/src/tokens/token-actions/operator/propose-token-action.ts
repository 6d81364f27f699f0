import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { OfferingPath } from '../../../sales/offerings/offering.schema.ts'
import { ChainOperation } from '../../chain-ops/chain-op.schema.ts'
import { readChainOp } from '../../chain-ops/chain-op.view.ts'
import { actionIdOf, enqueueTokenAction, requireTokenAndSigner } from '../enqueue-token-action.ts'
import { tokenActionErrors } from '../token-action.errors.ts'
import { NewTokenAction } from '../token-action.schema.ts'
import { tokenFingerprint } from '../token-action.sql.ts'
import { parseTokenActionDetails } from '../token-action-details.ts'

export const proposeTokenAction = operatorOperation(
  {
    id: 'proposeTokenAction',
    summary: 'Propose a token action',
    description:
      'Nothing happens until another person confirms the approval before it expires; the result of the confirmation ' +
      'is the chain op that executes the action. `GET /token-actions/{approval_id}` shows the action from proposal ' +
      "to execution. If the admin of the token is not the tenant's signer but, for example, a multisig, it has to " +
      'grant the signer the role for the action first; without the role the chain op ends as `REVERTED`, with the ' +
      'role in `failure`.',
    tag: 'Settlement',
    method: 'POST',
    path: '/offerings/:offeringId/token-actions',
    duty: 'token',
    offering: 'params.offeringId',
    approval: 'always',
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
    success: { status: 201, body: ChainOperation },
    errors: [requestErrors.not_found, tokenActionErrors.token_not_deployed],
  },
  async ({ params, body }, { tenantId, tx, operator, audit }) => {
    const details = parseTokenActionDetails(body)
    const token = await requireTokenAndSigner(tx, { tenantId, ...params })
    const id = actionIdOf(operator)
    const { kind, reason } = body
    const opId = await enqueueTokenAction(tx, token, { id, kind, details })
    audit({
      action: 'token_action.confirmed',
      subject: { type: 'token_action', id },
      after: { offering_id: params.offeringId, kind, ...details, reason, chain_op_id: opId },
    })
    return readChainOp(tx, { tenantId, opId })
  },
  { policy: 'always', subject: 'offering', fingerprint: tokenFingerprint },
)
