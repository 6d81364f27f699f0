import { operation } from '../../platform/api/declare/operation.ts'
import { found } from '../../platform/api/errors/found.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { Account, AccountPath } from './account.schema.ts'
import { findAccount } from './account.sql.ts'
import { viewAccount } from './account.view.ts'

export const getAccount = operation(
  {
    id: 'getAccount',
    summary: 'Read an account',
    description: 'The account with its bank account, tax information and approval status.',
    tag: 'Accounts',
    method: 'GET',
    path: '/accounts/:accountId',
    scopes: ['account.read'],
    idempotency: 'none',
    params: AccountPath,
    success: { status: 200, body: Account },
    errors: [requestErrors.not_found],
    isExtension: true,
  },
  async ({ params }, { tenantId, tx, vault }) => {
    const account = found(await findAccount(tx, { tenantId, ...params }), 'There is no such account.')
    return viewAccount(account, vault)
  },
)
