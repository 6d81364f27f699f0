import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { actionIdOf, enqueueTokenAction, requireTokenAndSigner } from '../../token-actions/enqueue-token-action.ts'
import { tokenActionErrors } from '../../token-actions/token-action.errors.ts'
import { requireLockedTransfer, requirePreconditions, requireTransferStatus } from '../require-transfer.ts'
import { transferErrors } from '../transfer.errors.ts'
import { OperatorTransfer, TransferPath } from '../transfer.schema.ts'
import { offeringOfTransfer, transferFingerprint, updateTransfer } from '../transfer.sql.ts'
import { readOperatorTransfer } from '../transfer.view.ts'
import { isMoving } from '../transfer-blockers.ts'
import { isForced } from '../transfer-status.ts'
import { findTransferAddresses } from '../transfer-wallet.sql.ts'

export const forceTransfer = operatorOperation(
  {
    id: 'forceTransfer',
    summary: 'Propose the forced transfer of a transfer',
    description:
      'For an inheritance or lost keys: the service moves the units without the signature of the sender, once ' +
      'another person has confirmed it. The transfer must be `READY`, and all its preconditions are checked again ' +
      'at the confirmation; frozen units are not moved. If the chain op reverts or is cancelled, propose it again.',
    tag: 'Transfers',
    method: 'POST',
    path: '/transfers/:transferId/force',
    duty: 'token',
    offering: offeringOfTransfer,
    approval: 'always',
    idempotency: 'optional',
    params: TransferPath,
    success: { status: 200, body: OperatorTransfer },
    errors: [
      requestErrors.not_found,
      transferErrors.transfer_not_in_state,
      transferErrors.transfer_blocked,
      tokenActionErrors.token_not_deployed,
    ],
  },
  async ({ params }, context) => {
    const { tenantId, tx, now, operator, audit } = context
    const key = { tenantId, ...params }
    const row = await requireLockedTransfer(tx, key)
    requireTransferStatus(row, ['READY'], 'forced')
    if (!isForced(row.reason))
      throw new ApiError(
        transferErrors.transfer_not_in_state,
        `The reason of the transfer is ${row.reason}, so the sender sends the units.`,
      )
    const { opState } = await requirePreconditions(tx, tenantId, row, now)
    if (isMoving(opState))
      throw new ApiError(transferErrors.transfer_not_in_state, `The forced transfer of its units is ${opState}.`)
    const token = await requireTokenAndSigner(tx, { tenantId, offeringId: row.offeringId })
    const { from, to } = await findTransferAddresses(tx, tenantId, row)
    const details = { wallet_address: from, to_address: to, units: row.units }
    const opId = await enqueueTokenAction(tx, token, { id: actionIdOf(operator), kind: 'FORCED_TRANSFER', details })
    await updateTransfer(tx, key, 'READY', { opId })
    audit({
      action: 'transfer.forced',
      subject: { type: 'transfer', id: row.id },
      after: { offering_id: row.offeringId, reason: row.reason, ...details, chain_op_id: opId },
    })
    return readOperatorTransfer(context, row.id)
  },
  { policy: 'always', subject: 'transfer', fingerprint: transferFingerprint },
)
