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

/**
 * One credit or debit. A batch in the file becomes one entry per transaction. Parsers of all formats must give the same
 * entry the same values, because these identify it (`entryFingerprint()`): otherwise it is booked twice.
 */
export interface ParsedEntry {
  readonly isCredit: boolean
  /** True if the bank marks the entry as the reversal of an earlier one. The direction is that of this entry. */
  readonly isReversal: boolean
  readonly amount: Money
  readonly bookedOn: string
  /** The bank's reference in full; null if there is none, or only a placeholder: see `provided()`. */
  readonly bankReference: string | null
  /** The number that the statement gives the entry (NtryRef in camt.053), if any. */
  readonly entryNumber: string | null
  /**
   * 1 for an entry of its own. In a batch, the transaction's position; or, if it has a bank reference of its own, the
   * number of transactions just before it with the same one.
   */
  readonly ordinal: number
  readonly details: EntryDetails
}

/** Personal data: encrypted before it is stored. Identifies an entry that has no bank reference. */
export interface EntryDetails {
  readonly endToEndId: string | null
  readonly creditorReference: string | null
  /** The remittance text. */
  readonly text: string | null
  readonly payerName: string | null
  readonly payerIban: string | null
  /** True if a transfer that we sent comes back. */
  readonly isReturn: boolean
  readonly returnCode: string | null
  readonly returnText: string | null
}

/** Returns a reference, or null if it is missing or one of the placeholders that banks write instead. */
export function provided(text: string | undefined): string | null {
  return text === undefined || placeholders.has(text.toUpperCase()) ? null : text
}

const placeholders = new Set(['NOTPROVIDED', 'NONREF', 'NOREF', 'NONE', 'UNKNOWN'])
