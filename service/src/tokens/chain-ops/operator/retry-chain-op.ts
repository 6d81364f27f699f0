import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { chainOpHandlers } from '../../chain-op-handlers.ts'
import { chainOpErrors } from '../chain-op.errors.ts'
import { ChainOperation, ChainOpPath } from '../chain-op.schema.ts'
import { findChainOp, offeringOfChainOp } from '../chain-op.sql.ts'
import { readChainOp } from '../chain-op.view.ts'
import { setChainOpHandled } from '../chain-op-retry.sql.ts'
import { requireOp } from '../require-op.ts'

export const retryChainOp = operatorOperation(
  {
    id: 'retryChainOp',
    summary: 'Retry a chain op',
    description:
      'For an op in REVERTED, or in ALARM once an operator has found the cause, and for a deployment in CANCELLED, ' +
      'without which no order could be minted. The call is enqueued as a new op, which is returned. The orders of a ' +
      'mint become READYTOMINT again, and the mint itself is returned; this is safe because the desk mints each ' +
      'order only once. A token action cannot be retried: propose it again.',
    tag: 'Settlement',
    method: 'POST',
    path: '/chain-ops/:opId/retry',
    duty: 'settlement',
    offering: offeringOfChainOp,
    approval: 'never',
    idempotency: 'optional',
    params: ChainOpPath,
    success: { status: 200, body: ChainOperation },
    errors: [requestErrors.not_found, chainOpErrors.chain_op_not_in_state, chainOpErrors.chain_op_not_retryable],
  },
  async ({ params }, { tenantId, tx, now, audit }) => {
    const found = await findChainOp(tx, { tenantId, ...params })
    const isDeployment = found?.kind.startsWith('DEPLOY_')
    const states = ['REVERTED', 'ALARM', ...(isDeployment ? (['CANCELLED'] as const) : [])] as const
    const op = await requireOp(tx, { tenantId, ...params }, states)
    const retried = await chainOpHandlers[op.kind].retry(tx, op)
    await setChainOpHandled(tx, op, now)
    audit({
      action: 'chain_op.retried',
      subject: { type: 'chain_op', id: op.id },
      before: { state: op.state, failure: op.failure },
      after: 'newOpId' in retried ? { chain_op_id: retried.newOpId } : { released_orders: retried.releasedOrders },
    })
    return readChainOp(tx, { tenantId, opId: 'newOpId' in retried ? retried.newOpId : op.id })
  },
)
