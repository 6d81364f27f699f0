import type { DeclaredError } from '../../platform/api/errors/declare-errors.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { statementErrors } from './statement.errors.ts'

/** Rejects the file: names the line, what is wrong there and what to do about it. */
export function fileError(error: DeclaredError, line: number, problem: string): ApiError {
  return new ApiError(error, `Line ${line}: ${problem} ${remedies.get(error) ?? error.remedy}`)
}

const remedies: ReadonlyMap<DeclaredError, string> = new Map([
  [statementErrors.statement_format_unsupported, 'Export the booked statement of the day as camt.053.'],
  [statementErrors.statement_unreadable, 'Have the bank export it again, in smaller parts.'],
  [statementErrors.statement_unbalanced, 'Nothing was imported. Get the complete statement from the bank again.'],
  [
    statementErrors.statement_currency_mismatch,
    'Nothing was imported. Ask the bank for a statement in the currency of the account.',
  ],
])
