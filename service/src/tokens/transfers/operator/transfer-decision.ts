import type { DecidedResource } from '../../../platform/api/declare/decision.ts'
import { lockTransfer } from '../transfer.sql.ts'
import { transferStatuses } from '../transfer-status.ts'

export const transferDecision: DecidedResource = {
  subject: 'transfer',
  statuses: transferStatuses,
  statusOf: async ({ params: { transferId = '' } }, { tenantId, tx }) =>
    (await lockTransfer(tx, { tenantId, transferId }))?.status ?? null,
}
