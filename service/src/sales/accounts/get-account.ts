import { operation } from '../../platform/api/declare/operation.ts'
import { readOne } from '../../platform/api/declare/read-one.ts'
import { found } from '../../platform/api/errors/found.ts'
import { Account, AccountPath } from './account.schema.ts'
import { findAccount } from './account.sql.ts'
import { viewAccount } from './account.view.ts'

export const getAccount = operation(
  {
    ...readOne,
    id: 'getAccount',
    summary: 'Read an account',
    description: 'The account with its bank account, tax information and approval status.',
    tag: 'Accounts',
    path: '/accounts/:accountId',
    scopes: ['account.read'],
    params: AccountPath,
    success: { status: 200, body: Account },
    isExtension: true,
  },
  async ({ params }, { tenantId, tx, vault }) => {
    const account = found(await findAccount(tx, { tenantId, ...params }), 'There is no such account.')
    return viewAccount(account, vault)
  },
)
