import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { UnassignedPaymentPath, UnassignedPaymentWithParts } from '../unassigned-payment.schema.ts'
import { findUnassignedPayment } from '../unassigned-payment.sql.ts'
import { viewUnassignedPaymentWithParts } from '../unassigned-payment.view.ts'

export const getUnassignedPayment = operatorOperation(
  {
    id: 'getUnassignedPayment',
    summary: 'Get an unassigned payment',
    description:
      'With what became of it so far, and, while it is `open`, suggestions: orders that lack exactly its ' +
      '`unassigned_amount`, the most similar account name first.',
    tag: 'Payments and refunds',
    method: 'GET',
    path: '/unassigned-payments/:paymentId',
    duty: 'read',
    idempotency: 'none',
    params: UnassignedPaymentPath,
    success: { status: 200, body: UnassignedPaymentWithParts },
    errors: [requestErrors.not_found],
  },
  async ({ params }, context) => {
    const { tenantId, tx } = context
    const payment = found(await findUnassignedPayment(tx, { tenantId, ...params }), 'Unassigned payment not found.')
    return viewUnassignedPaymentWithParts(context, payment)
  },
)
