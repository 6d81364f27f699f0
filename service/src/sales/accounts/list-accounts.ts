import { listOperation } from '../../platform/api/declare/page.ts'
import { Account } from './account.schema.ts'
import { countAccounts, selectAccounts } from './account.sql.ts'
import { viewAccount } from './account.view.ts'

export const listAccounts = listOperation(
  {
    id: 'listAccounts',
    summary: 'List accounts',
    description: 'All accounts of your tenant.',
    tag: 'Accounts',
    path: '/accounts',
    scopes: ['account.read'],
    item: Account,
    errors: [],
    isExtension: true,
  },
  async ({ page }, { tenantId, tx, vault }) => {
    const [count, rows] = await tx.batch(
      (tx) => countAccounts(tx, tenantId),
      (tx) => selectAccounts(tx, tenantId, page),
    )
    return { count, results: await Promise.all(rows.map((row) => viewAccount(row, vault))) }
  },
)
