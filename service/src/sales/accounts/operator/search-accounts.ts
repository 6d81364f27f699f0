import { keysetSearchOperation, pageOfViews } from '../../../platform/api/declare/keyset-list.ts'
import { countAccounts } from '../account.sql.ts'
import { selectNamedPage } from './named-accounts.sql.ts'
import { AccountSearch, AccountSearchResult } from './operator-account.schema.ts'
import {
  type AccountSearchRow,
  countMatchingAccounts,
  selectAccountsOfPage,
  selectMatchingAccounts,
} from './operator-account.sql.ts'
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
    const view = (rows: readonly AccountSearchRow[]) =>
      Promise.all(rows.map((row) => viewAccountSearchResult(row, vault)))
    if (q !== undefined) {
      const { ids, ...counted } = await selectNamedPage(tx, tenantId, { q, filter, page })
      const rows = ids.length > 0 ? await selectAccountsOfPage(tx, tenantId, ids, page) : []
      return { ...counted, ...(await pageOfViews(rows, page, view)) }
    }
    const [count, rows] = await tx.batch(
      (tx) =>
        Object.keys(body).length > 0 ? countMatchingAccounts(tx, tenantId, filter) : countAccounts(tx, tenantId),
      (tx) => selectMatchingAccounts(tx, tenantId, filter, page),
    )
    return { count, ...(await pageOfViews(rows, page, view)) }
  },
)
