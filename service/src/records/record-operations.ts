import type { OperatorOperation } from '../platform/api/declare/operation.ts'
import { listAudit } from './audit/operator/list-audit.ts'
import { listDirectoryAudit } from './audit/operator/list-directory-audit.ts'
import { verifyAuditLog } from './audit/operator/verify-audit-log.ts'
import { verifyDirectoryAuditLog } from './audit/operator/verify-directory-audit-log.ts'

/** Operations of the audit log. */
export const recordOperations: readonly OperatorOperation[] = [
  listAudit, //                        GET   /audit
  verifyAuditLog, //                   POST  /audit/verify
  listDirectoryAudit, //               GET   /directory-audit
  verifyDirectoryAuditLog, //          POST  /directory-audit/verify
]
