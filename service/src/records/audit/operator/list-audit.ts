import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { AuditRecord } from '../audit.schema.ts'
import { countAudit, selectAuditEntries } from '../audit.sql.ts'
import { viewAudit } from '../audit.view.ts'
import { auditFilters } from '../audit-filter.schema.ts'

export const listAudit = keysetListOperation(
  {
    id: 'listAudit',
    summary: 'List the audit log',
    description:
      'Lists who changed what in the cell of your tenant: offerings, accounts, wallets, orders, money and tokens.',
    tag: 'Audit',
    path: '/audit',
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
