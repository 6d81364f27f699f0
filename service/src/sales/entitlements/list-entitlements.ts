import { listOperation } from '../../platform/api/declare/page.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { AccountPath } from '../accounts/account.schema.ts'
import { findAccountWithCount } from '../accounts/account.sql.ts'
import { AccountEntitlement } from './entitlement.schema.ts'
import { selectEntitlementsOfAccount } from './entitlement.sql.ts'
import { viewAccountEntitlement } from './entitlement.view.ts'

export const listEntitlements = listOperation(
  {
    id: 'listEntitlements',
    summary: 'List the entitlements of an account',
    description:
      'What coupons, dividends and redemptions pay to the account: one entitlement for each address that had units ' +
      'at the record time. They appear when the distribution is paid.',
    tag: 'Balances and transactions',
    path: '/accounts/:accountId/entitlements',
    scopes: ['wallet.read', 'account.read'],
    params: AccountPath,
    item: AccountEntitlement,
    errors: [requestErrors.not_found],
  },
  async ({ params, page }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const [account, rows] = await tx.batch(
      (tx) => findAccountWithCount(tx, key, 'entitlement_count'),
      (tx) => selectEntitlementsOfAccount(tx, key, page),
    )
    if (!account) throw new ApiError(requestErrors.not_found, 'The account does not exist.')
    return { count: Number(account.count), results: rows.map(viewAccountEntitlement) }
  },
)
