import type { DecidedResource } from '../../../platform/api/declare/decision.ts'
import { orderStatuses } from '../order.schema.ts'
import { lockOrder } from '../order-transition.sql.ts'
import { OperatorOrder, OperatorOrderPath } from './operator-order.schema.ts'
import { offeringOfOrder } from './operator-order.sql.ts'

export const orderDecision: DecidedResource = {
  subject: 'order',
  statuses: orderStatuses,
  statusOf: async ({ params: { orderId = '' } }, { tenantId, tx }) =>
    (await lockOrder(tx, { tenantId, orderId }))?.status ?? null,
}

/** Header members of the operations by which an operator changes an order, alone or together with others. */
export const orderChange = {
  tag: 'Orders',
  method: 'POST',
  offering: offeringOfOrder,
  decides: orderDecision,
  approval: 'never',
  bulk: true,
  idempotency: 'optional',
  params: OperatorOrderPath,
  success: { status: 200, body: OperatorOrder },
} as const
