import { keysetListOperation } from '../../../platform/api/declare/keyset-list.ts'
import { OperatorOrderPath } from '../../../sales/orders/operator/operator-order.schema.ts'
import { readTimeline } from '../read-timeline.ts'
import { timelineHeader } from '../timeline-header.ts'

export const getOrderTimeline = keysetListOperation(
  {
    id: 'getOrderTimeline',
    summary: 'Read the timeline of an order',
    description:
      'Events, payments, refunds, the chain op that mints it, entries of the audit log, and notes, newest first. ' +
      'Events are kept for 30 days, everything else as long as the tenant.',
    ...timelineHeader,
    path: '/orders/:orderId/timeline',
    params: OperatorOrderPath,
  },
  ({ params, page }, context) => readTimeline({ subject: 'order', subjectId: params.orderId }, page, context),
)
