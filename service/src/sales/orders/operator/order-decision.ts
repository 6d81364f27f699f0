import type { DecidedResource } from '../../../platform/api/declare/decision.ts'
import { orderStatuses } from '../order.schema.ts'
import { lockOrder } from '../order-transition.sql.ts'

export const orderDecision: DecidedResource = {
  subject: 'order',
  statuses: orderStatuses,
  statusOf: async ({ params: { orderId = '' } }, { tenantId, tx }) =>
    (await lockOrder(tx, { tenantId, orderId }))?.status ?? null,
}
