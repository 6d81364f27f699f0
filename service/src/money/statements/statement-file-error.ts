import type { DeclaredError } from '../../platform/api/errors/declare-errors.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'

/** The error that rejects a bank file: where the problem is, what it is, and what the operator can do. */
export function statementFileError(error: DeclaredError, line: number, problem: string): ApiError {
  return new ApiError(error, `Line ${line}: ${problem} ${error.remedy}`)
}
