import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { AuditVerification, AuditVerificationRequest } from '../audit-verification.schema.ts'
import { verifyAudit } from '../verify-audit.ts'

export const verifyDirectoryAuditLog = directoryOperation(
  {
    id: 'verifyDirectoryAuditLog',
    summary: 'Verify the audit log of the directory',
    description:
      'Recomputes the hash chain of your tenant in the directory, a part at a time: repeat it with ' +
      '`after_sequence` until `is_complete`. One verification runs at a time; another one gets 429. Changes nothing.',
    tag: 'Audit',
    method: 'POST',
    isRead: true,
    cost: 'heavy',
    path: '/directory-audit/verify',
    duty: 'read',
    approval: 'never',
    idempotency: 'none',
    body: AuditVerificationRequest,
    success: { status: 200, body: AuditVerification },
    errors: [],
  },
  ({ body }, { tenantId, tx }) => verifyAudit(tx, tenantId, body),
)
