import type { Money } from '../../platform/base/money.ts'

/** A part that a parser reads from a bank file, in file order: each statement's start, its entries and its end. */
export type StatementPart = StatementStart | { readonly kind: 'entry'; readonly entry: ParsedEntry } | StatementEnd

export interface StatementStart {
  readonly kind: 'start'
  /** The IBAN, or the account number where the bank uses no IBAN, without spaces and in upper case. */
  readonly account: string
  readonly currency: string
  /** The bank's id of the statement. */
  readonly bankId: string
  readonly sequence: string | null
  readonly line: number
}

/** The parser has checked that the opening balance and the entries add up to the closing balance. */
export interface StatementEnd {
  readonly kind: 'end'
  readonly openingBalance: Money
  readonly closingBalance: Money
  /** The day of the closing balance; null if the file does not say. */
  readonly closesOn: string | null
}

/** One credit or debit. A batch in the file becomes one entry per transaction. */
export interface ParsedEntry {
  /** Equal for the same entry in any file; see fingerprint(). */
  readonly fingerprint: string
  readonly isCredit: boolean
  readonly isReversal: boolean
  readonly amount: Money
  readonly bookedOn: string
  /** The bank's reference, if it assigns one. */
  readonly bankReference: string | null
  readonly details: EntryDetails
}

/** Personal data: encrypted before it is stored. */
export interface EntryDetails {
  readonly endToEndId: string | null
  readonly creditorReference: string | null
  /** The remittance text. */
  readonly text: string | null
  readonly payerName: string | null
  readonly payerIban: string | null
  readonly isReturn: boolean
  readonly returnCode: string | null
  readonly returnText: string | null
}
