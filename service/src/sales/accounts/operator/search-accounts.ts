import { operatorListOperation } from '../../../platform/api/declare/page.ts'
import { countAccounts } from '../account.sql.ts'
import { accountFilters, FoundAccount } from './operator-account.schema.ts'
import { countMatchingAccounts, listAllAccounts, listMatchingAccounts } from './operator-account.sql.ts'
import { viewFoundAccount } from './operator-account.view.ts'

export const searchAccounts = operatorListOperation(
  {
    id: 'searchAccounts',
    summary: 'Find accounts',
    description:
      'All accounts of your tenant, or those that fit every filter that is given. Without a filter any page is as ' +
      'quick as the first; with one, the accounts are read through.',
    tag: 'Accounts',
    path: '/accounts',
    role: 'viewer',
    item: FoundAccount,
    query: accountFilters,
    errors: [],
  },
  async ({ query, page }, { tenantId, tx }) => {
    const { q, type, kyc_status, kyb_status } = query
    const filter = {
      ...(q !== undefined && { q }),
      ...(type && { type }),
      ...(kyc_status && { kyc_status }),
      ...(kyb_status && { kyb_status }),
    }
    const isFiltered = Object.keys(filter).length > 0
    const [count, rows] = await (isFiltered
      ? Promise.all([countMatchingAccounts(tx, tenantId, filter), listMatchingAccounts(tx, tenantId, filter, page)])
      : Promise.all([countAccounts(tx, tenantId), listAllAccounts(tx, tenantId, page)]))
    return { count, results: rows.map(viewFoundAccount) }
  },
)
