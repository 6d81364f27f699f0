import { electronicFormatIBAN, isSEPACountry, isValidBIC, isValidIBAN } from 'ibantools'
import { toMinorUnits } from '../../platform/base/money.ts'
import type { leftOutReasons } from './payout.schema.ts'
import { namesSomebody, sepaText } from './sepa-text.ts'

/** A bank account as somebody wrote it. */
export interface WrittenAccount {
  account_holder: string
  bic: string
  iban: string
}

/** One as a bank reads it. */
export interface BankAccount {
  readonly name: string
  readonly iban: string
  /** Undefined where what is written is none: banks find it by the IBAN. */
  readonly bic: string | undefined
}

/** Money that a file can carry, from one account to another. */
export interface CreditTransfer {
  readonly refundId: string
  readonly amount: string
  readonly currency: string
  readonly debtor: BankAccount
  readonly creditor: BankAccount
  readonly text: string
}

export interface LeftOut {
  readonly reason: (typeof leftOutReasons)[number]
  /** What to do about it. */
  readonly message: string
}

interface Wanted {
  readonly id: string
  readonly amount: string
  readonly currency: string
  readonly reason: string
  readonly paymentReference: string
}

/** The most that a transfer in SEPA can be. */
const sepaMinorUnitsMax = 99_999_999_999n
// The format allows 140; SEPA half of it.
const nameLengthMax = 70
const textLengthMax = 140

/** The transfer that brings a refund back, or why a file cannot carry it and what to do. */
export function transferOf(wanted: Wanted, from: WrittenAccount, to: WrittenAccount): CreditTransfer | LeftOut {
  const { id: refundId, amount, currency } = wanted
  const [debtor, creditor] = [accountOf(from), accountOf(to)]
  const coins = toMinorUnits(amount, currency) ?? 0n
  const isSepa = currency === 'EUR'
  if (!isValidIBAN(debtor.iban))
    return leftOut('collection_iban_invalid', 'The collection account of its order has no valid IBAN. Pay it by hand.')
  if (!namesSomebody(debtor.name))
    return leftOut('collection_name_empty', 'The collection account of its order names nobody. Pay it by hand.')
  if (!isValidIBAN(creditor.iban))
    return leftOut('iban_invalid', 'The account of the investor has no valid IBAN. Have it corrected, then try again.')
  if (!namesSomebody(creditor.name))
    return leftOut(
      'name_empty',
      'The account holder has no letter that a bank file can carry. Have the name written in Latin letters.',
    )
  if (isSepa && !isSEPACountry(creditor.iban.slice(0, 2)))
    return leftOut('iban_outside_sepa', 'Euros go to banks of SEPA only. Pay it by hand and mark it as sent.')
  if (isSepa && coins > sepaMinorUnitsMax)
    return leftOut('amount_too_large', 'It is more than one transfer can carry. Pay it by hand and mark it as sent.')
  if (isNoMoney(currency))
    return leftOut('currency_not_supported', `A file cannot carry ${currency}. Pay it by hand and mark it as sent.`)
  const text = sepaText(`Refund ${wanted.paymentReference} ${whys[wanted.reason] ?? ''}`, textLengthMax)
  return { refundId, amount, currency, debtor, creditor, text }
}

/** Funds, metals and codes for testing are in ISO 4217 too; no account is held in them. */
function isNoMoney(currency: string): boolean {
  return currency.startsWith('X') && !['XAF', 'XCD', 'XOF', 'XPF', 'XCG'].includes(currency)
}

const whys: Readonly<Record<string, string>> = {
  overpaid: 'paid too much',
  not_paid_in_time: 'not paid in time',
  late: 'paid too late',
  cancelled: 'order cancelled',
}

function leftOut(reason: LeftOut['reason'], message: string): LeftOut {
  return { reason, message }
}

/** People write an IBAN in groups of four and in small letters. */
function accountOf({ account_holder, bic, iban }: WrittenAccount): BankAccount {
  const plainBic = bic.trim().toUpperCase()
  return {
    name: sepaText(account_holder, nameLengthMax),
    iban: (electronicFormatIBAN(iban) ?? '').toUpperCase(),
    bic: isValidBIC(plainBic) ? plainBic : undefined,
  }
}
