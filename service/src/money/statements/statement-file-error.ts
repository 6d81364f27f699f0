import type { DeclaredError } from '../../platform/api/errors/declare-errors.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'

export function statementFileError(error: DeclaredError, line: number, problem: string): ApiError {
  return new ApiError(error, `Line ${line}: ${problem} ${error.remedy}`)
}
