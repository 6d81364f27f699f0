import { electronicFormatIBAN, isValidIBAN } from 'ibantools'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { newRowId } from '../../../platform/base/ids.ts'
import { Money } from '../../../platform/base/money.ts'
import type { Transaction } from '../../../platform/postgres/transaction.ts'
import { insertReturn } from '../../../sales/refunds/refund.sql.ts'
import { type CollectionAccount, selectPayingAccounts } from '../collection-account.sql.ts'
import { lockUnassignedForDecision, unassignedAmountOf } from '../lock-unassigned-payment.ts'
import { paymentErrors } from '../payment.errors.ts'
import { PaymentReturn, UnassignedPaymentPath, UnassignedPaymentWithParts } from '../unassigned-payment.schema.ts'
import {
  decideUnassignedPayment,
  type UnassignedPaymentRow,
  unassignedPaymentFingerprint,
} from '../unassigned-payment.sql.ts'
import { openPayer, viewUnassignedPaymentWithParts } from '../unassigned-payment.view.ts'
import { unassignedPaymentDecision } from './unassigned-payment-decision.ts'

export const returnUnassignedPayment = operatorOperation(
  {
    id: 'returnUnassignedPayment',
    summary: 'Return an unassigned payment to its payer',
    description:
      'Creates a refund of what is unassigned, to the account that the money came from. It is due, and leaves with ' +
      'the next payout like every other refund. Returning it again changes nothing.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/unassigned-payments/:paymentId/return',
    duty: 'money',
    approval: 'policy',
    decides: unassignedPaymentDecision,
    idempotency: 'optional',
    params: UnassignedPaymentPath,
    body: PaymentReturn,
    success: { status: 200, body: UnassignedPaymentWithParts },
    errors: [
      requestErrors.not_found,
      paymentErrors.unassigned_payment_not_open,
      paymentErrors.payer_account_unknown,
      paymentErrors.collection_account_unknown,
    ],
  },
  async ({ params, body: { reason } }, context) => {
    const { tenantId, tx, vault, audit } = context
    const payment = await lockUnassignedForDecision(context, params.paymentId, { status: 'returned' })
    if (payment.status !== 'open') return viewUnassignedPaymentWithParts(context, payment)
    const { iban } = await openPayer(vault, payment)
    if (!isValidIBAN(electronicFormatIBAN(iban ?? '') ?? ''))
      throw new ApiError(
        paymentErrors.payer_account_unknown,
        'The payment has no valid IBAN of its payer. Pay it back where it was received, then dismiss it.',
      )
    const collectionAccount = await requirePayingAccount(tx, tenantId, payment)
    const { unassignedAmount: amount, currency } = payment
    const refundId = newRowId()
    const [, returned] = await tx.batch(
      (tx) => insertReturn(tx, tenantId, { id: refundId, unassignedPaymentId: payment.id, amount, collectionAccount }),
      (tx) =>
        decideUnassignedPayment(
          tx,
          { tenantId, ...params },
          { status: 'returned', unassignedAmount: Money.zero(currency) },
        ),
    )
    audit({
      action: 'unassigned_payment.returned',
      subject: { type: 'unassigned_payment', id: payment.id },
      before: { status: payment.status, unassigned_amount: amount },
      after: { status: returned.status, refund_id: refundId, amount, currency, reason },
    })
    return viewUnassignedPaymentWithParts(context, returned)
  },
  {
    policy: 'payment_return',
    confirmDuty: 'release',
    subject: 'unassigned_payment',
    amount: ({ params }, context) => unassignedAmountOf(context, params.paymentId),
    fingerprint: unassignedPaymentFingerprint,
  },
)

/** Returns the account that received the money, or the only one that the tenant has in this currency. */
async function requirePayingAccount(
  tx: Transaction,
  tenantId: string,
  { provider, providerReference, unassignedAmount, currency }: UnassignedPaymentRow,
): Promise<CollectionAccount> {
  if (!unassignedAmount.isWhole)
    throw new ApiError(
      paymentErrors.collection_account_unknown,
      `No bank transfers ${unassignedAmount} ${currency}, which is not in whole minor units.`,
    )
  const accounts = await selectPayingAccounts(tx, tenantId, currency)
  // The reference of a statement entry begins with the account of the statement.
  const [receiver] = providerReference.split(' ')
  const own = accounts.find(({ iban }) => provider === 'bank_transfer' && normalized(iban) === receiver)
  if (own) return own
  const ibans = new Set(accounts.map(({ iban }) => normalized(iban)))
  const [first] = accounts
  if (first && ibans.size === 1) return first
  throw new ApiError(
    paymentErrors.collection_account_unknown,
    first
      ? `Your offerings have ${ibans.size} collection accounts in ${currency}, and none of them received the payment.`
      : `None of your offerings has a collection account in ${currency}.`,
  )
}

function normalized(iban: string): string {
  return (electronicFormatIBAN(iban) ?? '').toUpperCase()
}
