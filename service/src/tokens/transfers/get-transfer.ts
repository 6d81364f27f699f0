import { operation } from '../../platform/api/declare/operation.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { requireTransfer } from './require-transfer.ts'
import { Transfer, TransferPath } from './transfer.schema.ts'
import { viewTransfer } from './transfer.view.ts'

export const getTransfer = operation(
  {
    id: 'getTransfer',
    summary: 'Read a transfer',
    description: 'Returns a transfer with everything that keeps it from advancing.',
    tag: 'Transfers',
    method: 'GET',
    path: '/transfers/:transferId',
    scopes: ['order.read'],
    idempotency: 'none',
    params: TransferPath,
    success: { status: 200, body: Transfer },
    errors: [requestErrors.not_found],
    isExtension: true,
  },
  async ({ params }, context) => {
    const { tenantId, tx } = context
    return viewTransfer(context, await requireTransfer(tx, { tenantId, ...params }))
  },
)
