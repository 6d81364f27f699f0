import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { ChainOperation, ChainOpPath } from '../chain-op.schema.ts'
import { readChainOp } from '../chain-op.view.ts'

export const getChainOp = operatorOperation(
  {
    id: 'getChainOp',
    summary: 'Read a chain op',
    description: 'Returns the op with every transaction that may have executed it.',
    tag: 'Settlement',
    method: 'GET',
    path: '/chain-ops/:opId',
    duty: 'read',
    idempotency: 'none',
    params: ChainOpPath,
    success: { status: 200, body: ChainOperation },
    errors: [requestErrors.not_found],
  },
  ({ params }, { tenantId, tx }) => readChainOp(tx, { tenantId, ...params }),
)
