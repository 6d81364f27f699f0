import { operatorOperation, type TenantContext } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { newRowId } from '../../../platform/base/ids.ts'
import { lockForReversal, reversalFingerprint } from '../lock-for-reversal.ts'
import { paymentErrors } from '../payment.errors.ts'
import { Payment, PaymentPath, PaymentReversal } from '../payment.schema.ts'
import { findPayment, setPaymentUnassigned } from '../payment.sql.ts'
import { viewPayment } from '../payment.view.ts'
import { openPayerAccount } from '../payment-payer.ts'
import { reversePayment } from '../reverse-payment.ts'
import { insertUnassignedPayment, reopenUnassignedPayment } from '../unassigned-payment.sql.ts'
import { sealPayer } from '../unassigned-payment.view.ts'

type StoredPayment = NonNullable<Awaited<ReturnType<typeof findPayment>>>

export const reverseBookedPayment = operatorOperation(
  {
    id: 'reverseBookedPayment',
    summary: 'Take a payment off its order',
    description:
      'For a payment that was booked to the wrong order, or recorded by hand by mistake. An order that is no longer ' +
      'covered waits for payment again. Money that a bank or a payment provider reported becomes an unassigned ' +
      'payment: assign, split or return it. A payment recorded by hand only counts no longer: record it again for ' +
      'the right order. Rejected once the order is being minted, or the money is on its way back to the investor.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/payments/:paymentId/reverse',
    duty: 'money',
    approval: 'policy',
    idempotency: 'optional',
    params: PaymentPath,
    body: PaymentReversal,
    success: { status: 200, body: Payment },
    errors: [requestErrors.not_found, paymentErrors.payment_not_reversible],
  },
  async ({ params: { paymentId }, body: { reason } }, context) => {
    const { tenantId, tx, now, audit } = context
    const locked = found(await lockForReversal(tx, { tenantId, paymentId }), 'Payment not found.')
    const { payment, order } = locked
    if (payment.reversedAt) throw new ApiError(paymentErrors.payment_not_reversible, 'The payment is already reversed.')
    const { problem } = await reversePayment(tx, order, payment, now)
    if (problem !== undefined)
      throw new ApiError(paymentErrors.payment_not_reversible, `Payment ${paymentId} cannot be reversed: ${problem}.`)
    // Only an operator's word proves a payment by hand, so reversing it must not create money that can be paid out.
    const unassignedPaymentId = payment.provider === 'manual' ? null : await makeUnassigned(context, payment)
    audit({
      action: 'payment.reversed',
      subject: { type: 'payment', id: paymentId },
      before: { order_id: order.id, order_status: order.status, paid_amount: order.paidAmount },
      after: { amount: payment.amount, unassigned_payment_id: unassignedPaymentId, reason },
    })
    const reversed = await findPayment(tx, tenantId, paymentId)
    if (!reversed) throw new Error('a locked payment was not found')
    return viewPayment(reversed)
  },
  {
    policy: 'payment_reversal',
    confirmDuty: 'release',
    subject: 'payment',
    amount: async ({ params }, { tenantId, tx }) => (await findPayment(tx, tenantId, params.paymentId))?.amount,
    fingerprint: reversalFingerprint,
  },
)

/** Returns the id of the unassigned payment that has the money now: the original one, or a new one. */
async function makeUnassigned({ tenantId, tx, vault }: TenantContext, payment: StoredPayment): Promise<string> {
  const note = `Payment ${payment.id} was taken off order ${payment.orderId}.`
  if (payment.unassignedPaymentId !== null) {
    const key = { tenantId, paymentId: payment.unassignedPaymentId }
    await reopenUnassignedPayment(tx, key, { amount: payment.amount, note })
    return payment.unassignedPaymentId
  }
  const id = newRowId()
  const account = payment.payer && (await openPayerAccount(vault, { paymentId: payment.id, box: payment.payer }))
  const { provider, providerReference, amount, receivedAt } = payment
  const payer = await sealPayer(vault, id, { name: account?.name ?? null, iban: account?.iban ?? null, text: null })
  await insertUnassignedPayment(tx, { tenantId, id, provider, providerReference, amount, receivedAt, payer, note })
  await setPaymentUnassigned(tx, { tenantId, paymentId: payment.id, unassignedPaymentId: id })
  return id
}
