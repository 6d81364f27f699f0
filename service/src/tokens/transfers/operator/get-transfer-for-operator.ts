import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { OperatorTransfer, TransferPath } from '../transfer.schema.ts'
import { readOperatorTransfer } from '../transfer.view.ts'

export const getTransferForOperator = operatorOperation(
  {
    id: 'getTransfer',
    summary: 'Read a transfer',
    description: 'Returns a transfer with everything that keeps it from advancing, and what clears it.',
    tag: 'Transfers',
    method: 'GET',
    path: '/transfers/:transferId',
    duty: 'read',
    idempotency: 'none',
    params: TransferPath,
    success: { status: 200, body: OperatorTransfer },
    errors: [requestErrors.not_found],
  },
  async ({ params }, context) => readOperatorTransfer(context, params.transferId),
)
