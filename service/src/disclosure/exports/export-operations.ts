import type { OperatorOperation } from '../../platform/api/declare/operation.ts'
import { cancelExport } from './operator/cancel-export.ts'
import { createExport } from './operator/create-export.ts'
import { downloadExport } from './operator/download-export.ts'
import { getExport } from './operator/get-export.ts'
import { listExports } from './operator/list-exports.ts'

/** Files of rows that operators request. */
export const exportOperations: readonly OperatorOperation[] = [
  createExport, //                     POST  /exports
  listExports, //                      GET   /exports
  getExport, //                        GET   /exports/:exportId
  cancelExport, //                     POST  /exports/:exportId/cancel
  downloadExport, //                   POST  /exports/:exportId/download
]
