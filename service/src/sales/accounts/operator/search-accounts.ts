import { operatorListOperation } from '../../../platform/api/declare/page.ts'
import { countAccounts } from '../account.sql.ts'
import { AccountSearchResult, accountFilters } from './operator-account.schema.ts'
import { countMatchingAccounts, selectAllAccounts, selectMatchingAccounts } from './operator-account.sql.ts'
import { viewAccountSearchResult } from './operator-account.view.ts'

export const searchAccounts = operatorListOperation(
  {
    id: 'searchAccounts',
    summary: 'Search accounts',
    description:
      'The accounts of your tenant that match all given filters. Without a filter every page is equally fast; with a ' +
      'filter the service scans all accounts.',
    tag: 'Accounts',
    path: '/accounts',
    role: 'viewer',
    item: AccountSearchResult,
    query: accountFilters,
    errors: [],
  },
  async ({ query, page }, { tenantId, tx }) => {
    const { q, type, kyc_status: kycStatus, kyb_status: kybStatus } = query
    const filter = {
      ...(q !== undefined && { q }),
      ...(type && { type }),
      ...(kycStatus && { kycStatus }),
      ...(kybStatus && { kybStatus }),
    }
    const isFiltered = Object.keys(filter).length > 0
    const [count, rows] = await (isFiltered
      ? Promise.all([countMatchingAccounts(tx, tenantId, filter), selectMatchingAccounts(tx, tenantId, filter, page)])
      : Promise.all([countAccounts(tx, tenantId), selectAllAccounts(tx, tenantId, page)]))
    return { count, results: rows.map(viewAccountSearchResult) }
  },
)
