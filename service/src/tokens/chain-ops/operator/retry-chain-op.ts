import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { chainOpErrors } from '../chain-op.errors.ts'
import { ChainOperation, ChainOpPath } from '../chain-op.schema.ts'
import { readChainOp } from '../chain-op.view.ts'
import { requireOp } from '../require-op.ts'
import { retryOp } from '../retry-op.ts'

export const retryChainOp = operatorOperation(
  {
    id: 'retryChainOp',
    summary: 'Try a chain op again',
    description:
      'For an op that was reverted, or in ALARM once a person has looked. Its call is queued again as a new op, ' +
      'which is the answer. Orders of a mint are ready again, and the answer is the mint itself: the desk mints ' +
      'each order once. What two people had to decide has to be proposed again.',
    tag: 'Settlement',
    method: 'POST',
    path: '/chain-ops/:opId/retry',
    role: 'operator',
    idempotency: 'optional',
    params: ChainOpPath,
    success: { status: 200, body: ChainOperation },
    errors: [requestErrors.not_found, chainOpErrors.chain_op_not_in_state, chainOpErrors.chain_op_not_retryable],
  },
  async ({ params }, { tenantId, tx, audit }) => {
    const op = await requireOp(tx, { tenantId, ...params }, ['REVERTED', 'ALARM'])
    const { opId, released } = await retryOp(tx, op)
    audit({
      action: 'chain_op.retried',
      subject: { type: 'chain_op', id: op.id },
      before: { state: op.state, failure: op.failure },
      after: opId === op.id ? { released_orders: released } : { chain_op_id: opId },
    })
    return readChainOp(tx, { tenantId, opId })
  },
)
