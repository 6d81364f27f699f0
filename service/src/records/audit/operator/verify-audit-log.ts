import { directoryOperation, operatorOperation } from '../../../platform/api/declare/operation.ts'
import { AuditVerification, AuditVerificationRequest } from '../audit-verification.schema.ts'
import { verifyAudit } from '../verify-audit.ts'

const header = {
  tag: 'Audit',
  method: 'POST',
  isRead: true,
  cost: 'heavy',
  duty: 'read',
  approval: 'never',
  idempotency: 'none',
  body: AuditVerificationRequest,
  success: { status: 200, body: AuditVerification },
  errors: [],
} as const
const description = (database: string) =>
  `Recomputes the hash chain of your tenant in ${database}, a part at a time: repeat it with ` +
  '`after_sequence` until `is_complete`. One verification runs at a time; another one gets 429. Changes nothing.'

export const verifyAuditLog = operatorOperation(
  {
    ...header,
    id: 'verifyAuditLog',
    summary: 'Verify the audit log',
    description: description('its cell'),
    path: '/audit/verify',
  },
  ({ body }, { tenantId, tx }) => verifyAudit(tx, tenantId, body),
)

export const verifyDirectoryAuditLog = directoryOperation(
  {
    ...header,
    id: 'verifyDirectoryAuditLog',
    summary: 'Verify the audit log of the directory',
    description: description('the directory'),
    path: '/directory-audit/verify',
  },
  ({ body }, { tenantId, tx }) => verifyAudit(tx, tenantId, body),
)
