import {
  directoryKeysetListOperation,
  type KeysetPage,
  keysetListOperation,
  pageOf,
} from '../../../platform/api/declare/keyset-list.ts'
import type { DirectoryContext, OperatorContext } from '../../../platform/api/declare/operation.ts'
import { AuditRecord } from '../audit.schema.ts'
import { countAudit, selectAuditEntries } from '../audit.sql.ts'
import { viewAudit } from '../audit.view.ts'
import { auditFilters } from '../audit-filter.schema.ts'
import type { AuditConditions } from '../audit-filter.sql.ts'

const header = {
  tag: 'Audit',
  duty: 'read',
  namesCallers: true,
  item: AuditRecord,
  query: auditFilters,
  errors: [],
} as const

export const listAudit = keysetListOperation(
  {
    ...header,
    id: 'listAudit',
    summary: 'List the audit log',
    description:
      'Lists who changed what in the cell of your tenant: offerings, accounts, wallets, orders, money and tokens.',
    path: '/audit',
  },
  ({ query, page }, context) => list(query, page, context),
)

export const listDirectoryAudit = directoryKeysetListOperation(
  {
    ...header,
    id: 'listDirectoryAudit',
    summary: 'List the audit log of the directory',
    description:
      'Lists who changed what in the directory: the tenant, credentials, users and their tokens. If the directory ' +
      'and the cell of your tenant are the same database, they share one audit log, and this returns the same ' +
      'entries as `GET /audit`.',
    path: '/directory-audit',
  },
  ({ query, page }, context) => list(query, page, context),
)

async function list(
  query: AuditConditions,
  page: KeysetPage,
  { tenantId, tx, callerNames }: OperatorContext | DirectoryContext,
) {
  const [count, rows] = await tx.batch(
    (tx) => countAudit(tx, tenantId, query),
    (tx) => selectAuditEntries(tx, tenantId, query, page),
  )
  return { count, ...pageOf(rows, page, (row) => viewAudit(row, callerNames)) }
}
