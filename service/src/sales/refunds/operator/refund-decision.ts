import type { DecidedResource } from '../../../platform/api/declare/decision.ts'
import { refundStatuses } from '../refund.schema.ts'
import { lockRefund } from '../refund.sql.ts'

export const refundDecision: DecidedResource = {
  subject: 'refund',
  statuses: refundStatuses,
  statusOf: async ({ params: { refundId = '' } }, { tenantId, tx }) =>
    (await lockRefund(tx, { tenantId, refundId }))?.status ?? null,
}
