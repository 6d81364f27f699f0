import { operatorSearchOperation } from '../../../platform/api/declare/page.ts'
import { countAccounts } from '../account.sql.ts'
import { AccountSearch, AccountSearchResult } from './operator-account.schema.ts'
import { countMatchingAccounts, selectAllAccounts, selectMatchingAccounts } from './operator-account.sql.ts'
import { viewAccountSearchResult } from './operator-account.view.ts'

export const searchAccounts = operatorSearchOperation(
  {
    id: 'searchAccounts',
    summary: 'Search accounts',
    description:
      'The accounts of your tenant that match all given filters, which are in the body because URLs are logged by ' +
      'proxies. Get other pages with the same body. Without a filter every page is equally fast; with a filter the ' +
      'service scans all accounts.',
    tag: 'Accounts',
    path: '/accounts/search',
    duty: 'read',
    item: AccountSearchResult,
    body: AccountSearch,
    errors: [],
  },
  async ({ body, page }, { tenantId, tx }) => {
    const { q, type, kyc_status: kycStatus, kyb_status: kybStatus } = body
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
