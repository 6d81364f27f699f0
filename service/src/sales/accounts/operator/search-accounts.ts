import { keysetSearchOperation, pageOfViews } from '../../../platform/api/declare/keyset-list.ts'
import { countAccounts } from '../account.sql.ts'
import { accountsNamed, everyAccount } from './named-accounts.sql.ts'
import { AccountSearch, AccountSearchResult } from './operator-account.schema.ts'
import { countMatchingAccounts, selectMatchingAccounts } from './operator-account.sql.ts'
import { viewAccountSearchResult } from './operator-account.view.ts'

export const searchAccounts = keysetSearchOperation(
  {
    id: 'searchAccounts',
    summary: 'Search accounts',
    description:
      'The accounts of your tenant that match all given filters, which are in the body because URLs are logged by ' +
      'proxies. Get other pages with the same body. With a `q` that thousands of accounts match, `count` may be less ' +
      'than there are; `is_count_exact` is then false.',
    tag: 'Accounts',
    path: '/accounts/search',
    duty: 'read',
    item: AccountSearchResult,
    body: AccountSearch,
    errors: [],
  },
  async ({ body, page }, { tenantId, tx, vault }) => {
    const { q, ...filter } = body
    const named = q === undefined ? everyAccount : await accountsNamed(tx, tenantId, q)
    if (!named) return { count: 0, results: [], next: undefined }
    const [count, rows] = await Promise.all([
      Object.keys(body).length > 0
        ? countMatchingAccounts(tx, tenantId, filter, named.isCounted)
        : countAccounts(tx, tenantId),
      selectMatchingAccounts(tx, tenantId, filter, { page, isNamed: named.isNamed }),
    ])
    const shown = await pageOfViews(rows, page, (those) =>
      Promise.all(those.map((row) => viewAccountSearchResult(row, vault))),
    )
    return { count, isCountExact: named.isCountExact, ...shown }
  },
)
