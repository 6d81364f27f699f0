import type { DecidedResource } from '../../../platform/api/declare/decision.ts'
import { unassignedStatuses } from '../unassigned-payment.schema.ts'
import { lockUnassignedPayment } from '../unassigned-payment.sql.ts'

export const unassignedPaymentDecision: DecidedResource = {
  subject: 'payment',
  statuses: unassignedStatuses,
  statusOf: async ({ params: { paymentId = '' } }, { tenantId, tx }) =>
    (await lockUnassignedPayment(tx, { tenantId, paymentId }))?.status ?? null,
}
