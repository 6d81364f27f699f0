import { directoryKeysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { AuditRecord } from '../audit.schema.ts'
import { countAudit, selectAuditEntries } from '../audit.sql.ts'
import { viewAudit } from '../audit.view.ts'
import { auditFilters } from '../audit-filter.schema.ts'

export const listDirectoryAudit = directoryKeysetListOperation(
  {
    id: 'listDirectoryAudit',
    summary: 'List the audit log of the directory',
    description:
      'Lists who changed what in the directory: the tenant, credentials, users and their tokens. If the directory ' +
      'and the cell of your tenant are the same database, they share one audit log, and this returns the same ' +
      'entries as `GET /audit`.',
    tag: 'Audit',
    path: '/directory-audit',
    duty: 'read',
    namesCallers: true,
    item: AuditRecord,
    query: auditFilters,
    errors: [],
  },
  async ({ query, page }, { tenantId, tx, callerNames }) => {
    const [count, rows] = await tx.batch(
      (tx) => countAudit(tx, tenantId, query),
      (tx) => selectAuditEntries(tx, tenantId, query, page),
    )
    return { count, ...pageOf(rows, page, (row) => viewAudit(row, callerNames)) }
  },
)
