import { operation } from '../../platform/api/declare/operation.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { recordTransferEvents } from './record-transfer-event.ts'
import { requireLockedTransfer, requireTransfer, requireUnsent } from './require-transfer.ts'
import { transferErrors } from './transfer.errors.ts'
import { Transfer, TransferPath } from './transfer.schema.ts'
import { updateTransfer } from './transfer.sql.ts'
import { viewTransfer } from './transfer.view.ts'

export const cancelTransfer = operation(
  {
    id: 'cancelTransfer',
    summary: 'Cancel a transfer',
    description:
      'Cancels a transfer whose units have not moved. The wallet of the receiver stays registered with the token. ' +
      'Cancelling it again changes nothing and returns the same response.',
    tag: 'Transfers',
    method: 'POST',
    path: '/transfers/:transferId/cancel',
    scopes: ['order.update', 'order.delete'],
    // Takes no key: cancelling a cancelled transfer returns the same response as the first call.
    idempotency: 'none',
    params: TransferPath,
    success: { status: 200, body: Transfer },
    errors: [requestErrors.not_found, transferErrors.transfer_not_in_state],
    isExtension: true,
  },
  async ({ params }, context) => {
    const { tenantId, tx, now } = context
    const key = { tenantId, ...params }
    const row = await requireLockedTransfer(tx, key)
    if (row.status === 'CANCELLED') return viewTransfer(context, row)
    await requireUnsent(tx, tenantId, row, 'cancelled')
    await updateTransfer(tx, key, 'CANCELLED', { closedAt: now })
    const cancelled = await requireTransfer(tx, key)
    await recordTransferEvents(tx, tenantId, 'transfer.cancelled', [cancelled])
    return viewTransfer(context, cancelled)
  },
)
