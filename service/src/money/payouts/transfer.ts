import { electronicFormatIBAN, isSEPACountry, isValidBIC, isValidIBAN } from 'ibantools'
import { Money } from '../../platform/base/money.ts'
import type { leftOutReasons } from './payout.schema.ts'
import { hasLetterOrDigit, sepaText } from './sepa-text.ts'

/** A bank account as a user entered it. */
export interface EnteredBankAccount {
  account_holder: string
  bic: string
  iban: string
}

/** A bank account as the file needs it. */
export interface BankAccount {
  readonly name: string
  readonly iban: string
  /** Undefined if the entered BIC is not valid; banks derive it from the IBAN. */
  readonly bic: string | undefined
}

/** A transfer that the file can contain. */
export interface CreditTransfer {
  /** The refund or the entitlement that it pays. */
  readonly id: string
  readonly amount: Money
  readonly debtor: BankAccount
  readonly creditor: BankAccount
  readonly text: string
}

export interface LeftOut {
  readonly reason: (typeof leftOutReasons)[number]
  /** Remedy for the operator. */
  readonly message: string
}

interface RefundToTransfer {
  readonly id: string
  readonly amount: Money
  readonly reason: string
  readonly paymentReference: string
}

/** SEPA's maximum per transfer: EUR 999,999,999.99. */
const sepaMax = Money.ofMinor(99_999_999_999n, 'EUR')
// ISO 20022 allows 140, SEPA only 70.
const nameLengthMax = 70
const textLengthMax = 140

/** Returns the transfer that pays the refund, or why a file cannot contain it and what to do instead. */
export function transferOf(
  refund: RefundToTransfer,
  from: EnteredBankAccount,
  to: EnteredBankAccount,
): CreditTransfer | LeftOut {
  const { id, amount } = refund
  const text = `Refund ${refund.paymentReference} ${reasonTexts[refund.reason] ?? ''}`
  const transfer = checkedTransfer({ id, amount, text }, from, to)
  return typeof transfer === 'string'
    ? { reason: transfer, message: refundRemedies[transfer](amount.currency) }
    : transfer
}

const refundRemedies: Readonly<Record<TransferProblem, (currency: string) => string>> = {
  collection_iban_invalid: () => 'The collection account of the order has no valid IBAN. Pay the refund manually.',
  collection_name_empty: () => 'The collection account of the order has no account holder. Pay the refund manually.',
  iban_invalid: () => 'The IBAN of the investor account is not valid. Correct it, then create another payout.',
  name_empty: () => 'The account holder has no letter that a bank file allows. Correct the name to Latin letters.',
  iban_outside_sepa: () => 'The bank is outside SEPA. Pay the refund manually and mark it as sent.',
  amount_too_large: () => 'The amount is above the SEPA maximum. Pay the refund manually and mark it as sent.',
  currency_not_supported: (currency) => `Banks transfer no ${currency}. Pay the refund manually and mark it as sent.`,
}

export type TransferProblem = Exclude<
  LeftOut['reason'],
  'bank_account_changed' | 'holder_unlike_investor' | 'payers_differ' | 'not_covered'
>

/** Returns the transfer as the file needs it, or why a bank would reject it. */
export function checkedTransfer(
  { id, amount, text }: Pick<CreditTransfer, 'id' | 'amount' | 'text'>,
  from: EnteredBankAccount,
  to: EnteredBankAccount,
): CreditTransfer | TransferProblem {
  const [debtor, creditor] = [normalized(from), normalized(to)]
  const { currency } = amount
  const isSepa = currency === 'EUR'
  if (!isValidIBAN(debtor.iban)) return 'collection_iban_invalid'
  if (!hasLetterOrDigit(debtor.name)) return 'collection_name_empty'
  if (!isValidIBAN(creditor.iban)) return 'iban_invalid'
  if (!hasLetterOrDigit(creditor.name)) return 'name_empty'
  if (isSepa && !isSEPACountry(creditor.iban.slice(0, 2))) return 'iban_outside_sepa'
  if (isSepa && amount.exceeds(sepaMax)) return 'amount_too_large'
  if (!isPayable(currency)) return 'currency_not_supported'
  return { id, amount, debtor, creditor, text: sepaText(text, textLengthMax) }
}

/** ISO 4217 also has codes for funds, metals and tests, which no bank account uses. */
function isPayable(currency: string): boolean {
  return !currency.startsWith('X') || ['XAF', 'XCD', 'XOF', 'XPF', 'XCG'].includes(currency)
}

const reasonTexts: Readonly<Record<string, string>> = {
  overpaid: 'paid too much',
  not_paid_in_time: 'not paid in time',
  late: 'paid too late',
  cancelled: 'order cancelled',
  not_assigned: 'matches no order',
}

/** Normalizes user input: people enter an IBAN in groups of four and in lower case. */
function normalized({ account_holder, bic, iban }: EnteredBankAccount): BankAccount {
  const upperCaseBic = bic.trim().toUpperCase()
  return {
    name: sepaText(account_holder, nameLengthMax),
    iban: (electronicFormatIBAN(iban) ?? '').toUpperCase(),
    bic: isValidBIC(upperCaseBic) ? upperCaseBic : undefined,
  }
}
