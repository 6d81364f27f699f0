import { directoryListOperation } from '../../../platform/api/declare/page.ts'
import { AuditRecord, auditFilter } from '../audit.schema.ts'
import { countAudit, selectAuditEntries } from '../audit.sql.ts'
import { viewAudit } from '../audit.view.ts'

export const listDirectoryAudit = directoryListOperation(
  {
    id: 'listDirectoryAudit',
    summary: 'Read the audit log of the directory',
    description:
      'Who changed what in the directory: the tenant itself, credentials, admins and their tokens. Where the ' +
      'directory and the cell of your tenant are one database, there is one chain, and this shows the same as `GET ' +
      '/audit`.',
    tag: 'Audit',
    path: '/directory-audit',
    role: 'viewer',
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
