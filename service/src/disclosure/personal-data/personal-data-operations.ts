import type { OperatorOperation } from '../../platform/api/declare/operation.ts'
import { eraseAccount } from './operator/erase-account.ts'
import { exportSubjectData } from './operator/export-subject-data.ts'

/** Personal data of investors: export and erasure. */
export const personalDataOperations: readonly OperatorOperation[] = [
  exportSubjectData, //                POST  /accounts/:accountId/subject-access
  eraseAccount, //                     POST  /accounts/:accountId/erase
]
