import { operatorListOperation } from '../../../platform/api/declare/page.ts'
import { AuditRecord, auditFilter } from '../audit.schema.ts'
import { countAudit, selectAuditEntries } from '../audit.sql.ts'
import { viewAudit } from '../audit.view.ts'

export const listAudit = operatorListOperation(
  {
    id: 'listAudit',
    summary: 'List the audit log',
    description:
      'Lists who changed what in the cell of your tenant: offerings, accounts, wallets, orders, money and tokens.',
    tag: 'Audit',
    path: '/audit',
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
