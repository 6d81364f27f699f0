import { ApiError } from '../http/errors.ts'

export type RefusalCode =
  | 'statement_not_camt053'
  | 'statement_unreadable'
  | 'statement_unbalanced'
  | 'statement_currency_mismatch'

/** Where in the file, what is wrong there, and what to do. */
export function refusal(code: RefusalCode, line: number, what: string): ApiError {
  return new ApiError(code, `Line ${line}: ${what} ${remedies[code]}`)
}

const remedies: Readonly<Record<RefusalCode, string>> = {
  statement_not_camt053: 'Export the booked statement of the day as camt.053.',
  statement_unreadable: 'Have the bank export it again, in smaller parts.',
  statement_unbalanced: 'Nothing was taken over: get the statement from the bank again, whole.',
  statement_currency_mismatch: 'Nothing was taken over: ask the bank for a statement in the currency of the account.',
}
