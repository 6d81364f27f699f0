import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { registerReceiver } from '../register-receiver.ts'
import {
  requireLockedTransfer,
  requirePreconditions,
  requireTransfer,
  requireTransferStatus,
} from '../require-transfer.ts'
import { transferErrors } from '../transfer.errors.ts'
import { OperatorTransfer, TransferPath } from '../transfer.schema.ts'
import { updateTransfer } from '../transfer.sql.ts'
import { readOperatorTransfer } from '../transfer.view.ts'
import { transferDecision } from './transfer-decision.ts'

export const approveTransfer = operatorOperation(
  {
    id: 'approveTransfer',
    summary: 'Approve a transfer',
    description:
      'Registers the wallet of the receiver with the token. Once it is registered, the transfer is `READY` and the ' +
      'sender can send; a transfer whose sender cannot sign then needs `POST /transfers/{transferId}/force`. ' +
      'Approving moves no units, so one person decides. Rejected while anything else blocks the transfer. Approving ' +
      'it again changes nothing.',
    tag: 'Transfers',
    method: 'POST',
    path: '/transfers/:transferId/approve',
    duty: 'compliance',
    approval: 'never',
    decides: transferDecision,
    idempotency: 'optional',
    params: TransferPath,
    success: { status: 200, body: OperatorTransfer },
    errors: [requestErrors.not_found, transferErrors.transfer_not_in_state, transferErrors.transfer_blocked],
  },
  async ({ params }, context) => {
    const { tenantId, tx, now, audit } = context
    const key = { tenantId, ...params }
    const row = await requireLockedTransfer(tx, key)
    if (row.status === 'APPROVED' || row.status === 'READY') {
      audit('nothing changed')
      return readOperatorTransfer(context, row.id)
    }
    requireTransferStatus(row, ['REQUESTED'], 'approved')
    await requirePreconditions(tx, tenantId, row, now)
    await updateTransfer(tx, key, 'APPROVED', { approvedAt: now })
    await registerReceiver(tx, tenantId, row, now)
    const { status, offeringId, units, reason } = await requireTransfer(tx, key)
    audit({
      action: 'transfer.approved',
      subject: { type: 'transfer', id: row.id },
      before: { status: 'REQUESTED' },
      after: { status, offering_id: offeringId, units, reason },
    })
    return readOperatorTransfer(context, row.id)
  },
)
