import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { chainOpErrors } from '../chain-op.errors.ts'
import { ChainOperation, ChainOpPath } from '../chain-op.schema.ts'
import { offeringOfChainOp, recordOperatorRequest } from '../chain-op.sql.ts'
import { readChainOp } from '../chain-op.view.ts'
import { requireOp } from '../require-op.ts'

export const bumpChainOp = operatorOperation(
  {
    id: 'bumpChainOp',
    summary: 'Raise the fee of a chain op',
    description:
      'A worker checks the op now and, if it is in no block yet, replaces its transaction by one with the same nonce ' +
      'and a higher fee, up to the fee limit.',
    tag: 'Settlement',
    method: 'POST',
    path: '/chain-ops/:opId/bump',
    duty: 'settlement',
    offering: offeringOfChainOp,
    approval: 'never',
    idempotency: 'optional',
    params: ChainOpPath,
    success: { status: 200, body: ChainOperation },
    errors: [requestErrors.not_found, chainOpErrors.chain_op_not_in_state],
  },
  async ({ params }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, ...params }
    const op = await requireOp(tx, key, ['SIGNED'])
    await recordOperatorRequest(tx, op, 'bump', now)
    audit({ action: 'chain_op.bumped', subject: { type: 'chain_op', id: op.id }, after: { nonce: op.nonce } })
    return readChainOp(tx, key)
  },
)
