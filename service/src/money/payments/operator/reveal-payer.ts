import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { RevealedPayer } from '../payer.schema.ts'
import { UnassignedPaymentPath } from '../unassigned-payment.schema.ts'
import { lockUnassignedPayment } from '../unassigned-payment.sql.ts'
import { openPayer } from '../unassigned-payment.view.ts'

export const revealPayer = operatorOperation(
  {
    id: 'revealPayer',
    summary: 'Show the payer of an unassigned payment',
    description: 'With the IBAN in full. The audit log records who has seen it.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/unassigned-payments/:paymentId/reveal',
    duty: 'personal',
    approval: 'never',
    // A stored response would be shown again without a record in the audit log.
    idempotency: 'none',
    params: UnassignedPaymentPath,
    success: { status: 200, body: RevealedPayer },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx, vault, audit }) => {
    const payment = found(await lockUnassignedPayment(tx, { tenantId, ...params }), 'Unassigned payment not found.')
    audit({
      action: 'unassigned_payment.revealed',
      subject: { type: 'unassigned_payment', id: payment.id },
      after: { shown: ['payer_iban'] },
    })
    const { name, iban } = await openPayer(vault, payment)
    return { payer_name: name, payer_iban: iban }
  },
)
