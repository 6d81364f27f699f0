import { listOperation } from '../../platform/api/declare/page.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { AccountPath, AccountSummary } from '../accounts/account.schema.ts'
import { findAccountWithCount } from '../accounts/account.sql.ts'
import { viewAccountSummary } from '../accounts/account.view.ts'
import { OrderOfAccount } from './order.schema.ts'
import { selectOrdersOfAccount } from './order.sql.ts'
import { ordersOfAccount } from './order.view.ts'

export const listAccountOrders = listOperation(
  {
    id: 'listAccountOrders',
    summary: 'List the orders of an account',
    description: 'Returns the orders of an account in all offerings.',
    tag: 'Orders',
    path: '/accounts/:accountId/orders',
    scopes: ['order.read'],
    params: AccountPath,
    beside: { account: AccountSummary },
    item: OrderOfAccount,
    errors: [requestErrors.not_found],
  },
  async ({ params, page }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const [account, orders] = await tx.batch(
      (tx) => findAccountWithCount(tx, key, 'order_count'),
      (tx) => selectOrdersOfAccount(tx, key, page),
    )
    if (!account) throw new ApiError(requestErrors.not_found, 'Account not found.')
    return {
      count: Number(account.count),
      account: viewAccountSummary(account),
      results: ordersOfAccount(orders),
    }
  },
)
