import { electronicFormatIBAN, isValidIBAN } from 'ibantools'
import type { Vault } from '../../platform/postgres/vault.ts'
import { decryptBankAccount } from '../../sales/accounts/account.view.ts'
import { openPayerAccount, type PayerAccount } from '../payments/payment-payer.ts'
import { openPayer } from '../payments/unassigned-payment.view.ts'
import { accountDoubt, type RefundRules } from './account-doubt.ts'
import type { CreditorSource, PayableRefund, RefundedInvestor, RefundedPayment } from './payout-transfer.sql.ts'
import type { EnteredBankAccount, LeftOut } from './transfer.ts'

export interface ChosenCreditor {
  readonly source: CreditorSource
  readonly account: EnteredBankAccount
}

/**
 * Chooses the creditor of a refund: the account that the money came from or, if that is unknown, the investor's bank
 * account. A stolen token that can change that account must not redirect money at once. So a refund to bank data that
 * have just changed, or that name another holder, is left out until a second person has approved them.
 */
export async function chooseCreditor(
  refund: PayableRefund,
  payments: readonly RefundedPayment[],
  { vault, now, rules }: { vault: Vault; now: Date; rules: RefundRules },
): Promise<ChosenCreditor | LeftOut> {
  const { investor } = refund
  if (!investor) return payerOfUnassigned(refund, vault)
  const account = await decryptBankAccount({ id: investor.accountId, bankAccount: investor.bankAccount }, vault)
  if (refund.approvedBankAccountVersion === investor.bankAccountVersion) return { source: 'account', account }
  const payers = await Promise.all(payments.map((payment) => payerOf(payment, vault)))
  if (new Set(payers.map((payer) => payer?.iban)).size > 1)
    return leftOut(
      'payers_differ',
      'The payments of the order came from different or unknown accounts.',
      `To pay the refund to the bank account of the investor account, ${howToApprove(refund)}`,
    )
  const [payer] = payers
  if (payer)
    return {
      source: 'payer',
      account: { account_holder: payer.name ?? investor.accountName, bic: '', iban: payer.iban },
    }
  const asked = { investor, accountHolder: account.account_holder }
  return reasonToWait(refund, asked, { now, rules }) ?? { source: 'account', account }
}

/** Returns undefined if the IBAN is unknown or invalid: a bank outside SEPA may report another number. */
async function payerOf({ paymentId, payer }: RefundedPayment, vault: Vault): Promise<PayerAccount | undefined> {
  if (!payer) return undefined
  const opened = await openPayerAccount(vault, { paymentId, box: payer })
  const iban = (electronicFormatIBAN(opened.iban) ?? '').toUpperCase()
  return isValidIBAN(iban) ? { ...opened, iban } : undefined
}

/** Returns the payer: an unassigned payment goes back to the account that it came from. */
async function payerOfUnassigned(
  { unassignedPaymentId, unassignedPayer }: PayableRefund,
  vault: Vault,
): Promise<ChosenCreditor> {
  if (unassignedPaymentId === null || !unassignedPayer) throw new Error('a refund has neither an order nor a payer')
  const { name, iban } = await openPayer(vault, { id: unassignedPaymentId, payer: unassignedPayer })
  return { source: 'payer', account: { account_holder: name ?? 'Payer', bic: '', iban: iban ?? '' } }
}

function reasonToWait(
  refund: PayableRefund,
  { investor, accountHolder }: { investor: RefundedInvestor; accountHolder: string },
  { now, rules }: { now: Date; rules: RefundRules },
): LeftOut | undefined {
  const { bankAccountChangedAt: changedAt, accountName } = investor
  const doubt = accountDoubt({ changedAt, accountHolder, accountName }, { now, rules })
  if (doubt === 'bank_account_changed')
    return leftOut(
      'bank_account_changed',
      `The bank account of the investor account changed on ${changedAt?.toISOString().slice(0, 10)}, less than ` +
        `${rules.refund_hold_days} days ago, and the payer's account is not known.`,
      `Ask the investor on another channel, then ${howToApprove(refund)}`,
    )
  if (doubt === 'holder_unlike_investor')
    return leftOut(
      'holder_unlike_investor',
      'The holder of the bank account does not resemble the name of the investor.',
      `Correct it, or ${howToApprove(refund)}`,
    )
  return undefined
}

function howToApprove({ id }: PayableRefund): string {
  return `have it approved with POST /refunds/${id}/approve-account.`
}

function leftOut(reason: LeftOut['reason'], cause: string, remedy: string): LeftOut {
  return { reason, message: `${cause} ${remedy}` }
}
