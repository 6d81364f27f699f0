import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { chainOpErrors } from '../chain-op.errors.ts'
import { ChainOperation, ChainOpPath } from '../chain-op.schema.ts'
import { readChainOp } from '../chain-op.view.ts'
import { askOfOp } from '../chain-op-queue.sql.ts'
import { requireOp } from '../require-op.ts'

export const cancelChainOp = operatorOperation(
  {
    id: 'cancelChainOp',
    summary: 'Cancel a chain op',
    description:
      'One that has no number yet never gets one; else the number is used for nothing. What is on its way may still ' +
      'be first: then the op ends as FINAL. Orders of a mint that was cancelled are ready again.',
    tag: 'Settlement',
    method: 'POST',
    path: '/chain-ops/:opId/cancel',
    role: 'operator',
    idempotency: 'optional',
    params: ChainOpPath,
    success: { status: 200, body: ChainOperation },
    errors: [requestErrors.not_found, chainOpErrors.chain_op_not_in_state],
  },
  async ({ params }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, ...params }
    const op = await requireOp(tx, key, ['QUEUED', 'RESERVED', 'SIGNED'])
    if (op.isCancelling) audit('nothing changed')
    else {
      await askOfOp(tx, op, 'cancel', now)
      audit({ action: 'chain_op.cancelled', subject: { type: 'chain_op', id: op.id }, before: { state: op.state } })
    }
    return readChainOp(tx, key)
  },
)
