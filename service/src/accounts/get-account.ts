import { ApiError } from '../http/errors.ts'
import { operation } from '../http/operation.ts'
import { Account, AccountPath } from './account.schema.ts'
import { findAccount } from './account.sql.ts'
import { viewAccount } from './account.view.ts'

export const getAccount = operation(
  {
    id: 'getAccount',
    summary: 'Read an account',
    description: 'One account with its bank account, tax information and the state of its approval.',
    tag: 'Accounts',
    method: 'GET',
    path: '/accounts/:accountId',
    scopes: ['account.read'],
    idempotency: 'none',
    params: AccountPath,
    success: { status: 200, body: Account },
    errors: ['not_found'],
    isExtension: true,
  },
  async ({ params }, { tenantId, tx, vault }) => {
    const account = await findAccount(tx, { tenantId, ...params })
    if (!account) throw new ApiError('not_found', 'There is no such account.')
    return viewAccount(account, vault)
  },
)
