import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { chainOpErrors } from '../chain-op.errors.ts'
import { ChainOperation, ChainOpPath } from '../chain-op.schema.ts'
import { readChainOp } from '../chain-op.view.ts'
import { askOfOp } from '../chain-op-queue.sql.ts'
import { requireOp } from '../require-op.ts'

export const bumpChainOp = operatorOperation(
  {
    id: 'bumpChainOp',
    summary: 'Raise the fee of a chain op',
    description:
      'The op is looked at now, and if it is in no block yet it is signed again with a higher fee under the same ' +
      'number, up to the limit.',
    tag: 'Settlement',
    method: 'POST',
    path: '/chain-ops/:opId/bump',
    role: 'operator',
    idempotency: 'optional',
    params: ChainOpPath,
    success: { status: 200, body: ChainOperation },
    errors: [requestErrors.not_found, chainOpErrors.chain_op_not_in_state],
  },
  async ({ params }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, ...params }
    const op = await requireOp(tx, key, ['SIGNED'])
    await askOfOp(tx, op, 'bump', now)
    audit({ action: 'chain_op.bumped', subject: { type: 'chain_op', id: op.id }, after: { nonce: op.nonce } })
    return readChainOp(tx, key)
  },
)
