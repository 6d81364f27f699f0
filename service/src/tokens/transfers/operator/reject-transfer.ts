import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { recordTransferEvents } from '../record-transfer-event.ts'
import { requireLockedTransfer, requireTransfer, requireUnsent } from '../require-transfer.ts'
import { transferErrors } from '../transfer.errors.ts'
import { OperatorTransfer, TransferPath, TransferRejection } from '../transfer.schema.ts'
import { updateTransfer } from '../transfer.sql.ts'
import { readOperatorTransfer } from '../transfer.view.ts'
import { transferDecision } from './transfer-decision.ts'

export const rejectTransfer = operatorOperation(
  {
    id: 'rejectTransfer',
    summary: 'Reject a transfer',
    description:
      'Possible until the units have moved. The wallet of the receiver stays registered with the token. Rejecting it ' +
      'again changes nothing.',
    tag: 'Transfers',
    method: 'POST',
    path: '/transfers/:transferId/reject',
    duty: 'compliance',
    approval: 'never',
    decides: transferDecision,
    idempotency: 'optional',
    params: TransferPath,
    body: TransferRejection,
    success: { status: 200, body: OperatorTransfer },
    errors: [requestErrors.not_found, transferErrors.transfer_not_in_state],
  },
  async ({ params, body }, context) => {
    const { tenantId, tx, now, audit } = context
    const key = { tenantId, ...params }
    const row = await requireLockedTransfer(tx, key)
    if (row.status === 'REJECTED') {
      audit('nothing changed')
      return readOperatorTransfer(context, row.id)
    }
    await requireUnsent(tx, tenantId, row, 'rejected')
    await updateTransfer(tx, key, 'REJECTED', { closedAt: now, rejection: body.reason })
    const rejected = await requireTransfer(tx, key)
    await recordTransferEvents(tx, tenantId, 'transfer.rejected', [rejected])
    audit({
      action: 'transfer.rejected',
      subject: { type: 'transfer', id: row.id },
      before: { status: row.status },
      after: { status: 'REJECTED', reason: body.reason },
    })
    return readOperatorTransfer(context, row.id)
  },
)
