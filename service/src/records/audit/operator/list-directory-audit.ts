import { directoryListOperation } from '../../../platform/api/declare/page.ts'
import { AuditRecord, auditFilter } from '../audit.schema.ts'
import { countAudit, selectAuditEntries } from '../audit.sql.ts'
import { viewAudit } from '../audit.view.ts'

export const listDirectoryAudit = directoryListOperation(
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
    item: AuditRecord,
    query: auditFilter,
    errors: [],
  },
  async ({ query, page }, { tenantId, tx }) => {
    const [count, rows] = await Promise.all([
      countAudit(tx, tenantId, query),
      selectAuditEntries(tx, tenantId, query, page),
    ])
    return { count, results: rows.map(viewAudit) }
  },
)
