import { viewApiRow } from '../../../platform/api/declare/api-row.ts'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { TransferJudgement, UnrequestedTransfer, UnrequestedTransferPath } from '../unrequested-transfer.schema.ts'
import { lockUnrequested, updateVerdict } from '../unrequested-transfer.sql.ts'

export const judgeUnrequestedTransfer = operatorOperation(
  {
    id: 'judgeUnrequestedTransfer',
    summary: 'Judge an unrequested transfer',
    description:
      'Accepts a transfer without a request, or notes that it was reported. It changes nothing on the chain: use ' +
      'a token action to freeze the units or to move them back. A later judgement replaces the first; the audit log ' +
      'keeps both.',
    tag: 'Transfers',
    method: 'POST',
    path: '/unrequested-transfers/:unrequestedTransferId/judge',
    duty: 'compliance',
    approval: 'never',
    idempotency: 'optional',
    params: UnrequestedTransferPath,
    body: TransferJudgement,
    success: { status: 200, body: UnrequestedTransfer },
    errors: [requestErrors.not_found],
  },
  async ({ params: { unrequestedTransferId: id }, body }, { tenantId, tx, now, audit }) => {
    const row = await lockUnrequested(tx, tenantId, id)
    if (!row) throw new ApiError(requestErrors.not_found, 'The unrequested transfer does not exist.')
    const { verdict, note } = body
    await updateVerdict(tx, { tenantId, id }, { verdict, note, now })
    audit({
      action: 'unrequested_transfer.judged',
      subject: { type: 'unrequested_transfer', id },
      before: { verdict: row.verdict, note: row.note },
      after: { verdict, note, offering_id: row.offering_id, units: row.units },
    })
    return viewApiRow({ ...row, verdict, note, judged_at: now })
  },
)
