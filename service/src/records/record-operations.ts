import type { OperatorOperation } from '../platform/api/declare/operation.ts'
import { listAudit, listDirectoryAudit } from './audit/operator/list-audit.ts'
import { verifyAuditLog, verifyDirectoryAuditLog } from './audit/operator/verify-audit-log.ts'

/** Operations of the audit log. */
export const recordOperations: readonly OperatorOperation[] = [
  listAudit, //                        GET   /audit
  verifyAuditLog, //                   POST  /audit/verify
  listDirectoryAudit, //               GET   /directory-audit
  verifyDirectoryAuditLog, //          POST  /directory-audit/verify
]
