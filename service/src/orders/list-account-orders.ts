import { AccountPath, AccountSummary } from '../accounts/account.schema.ts'
import { findAccountWithCount } from '../accounts/account.sql.ts'
import { viewAccountSummary } from '../accounts/account.view.ts'
import { ApiError } from '../http/errors.ts'
import { listOperation } from '../http/page.ts'
import { OrderOfAccount } from './order.schema.ts'
import { listOrdersOfAccount } from './order.sql.ts'
import { viewOrderOfAccount } from './order.view.ts'

export const listAccountOrders = listOperation(
  {
    id: 'listAccountOrders',
    summary: 'List the orders of an account',
    description: 'What an account has ordered, over all offerings.',
    tag: 'Orders',
    path: '/accounts/:accountId/orders',
    scopes: ['order.read'],
    params: AccountPath,
    beside: { account: AccountSummary },
    item: OrderOfAccount,
    errors: ['not_found'],
  },
  async ({ params, page }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const [account, orders] = await Promise.all([
      findAccountWithCount(tx, key, 'order_count'),
      listOrdersOfAccount(tx, key, page),
    ])
    if (!account) throw new ApiError('not_found', 'There is no such account.')
    return {
      count: Number(account.count),
      account: viewAccountSummary(account),
      results: orders.map(viewOrderOfAccount),
    }
  },
)
