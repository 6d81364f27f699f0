import { operation } from '../../platform/api/declare/operation.ts'
import { found } from '../../platform/api/errors/found.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { accountErrors } from './account.errors.ts'
import { Account, AccountChange, AccountPath, accountChangeExamples } from './account.schema.ts'
import { lockAccount } from './account.sql.ts'
import { viewAccount } from './account.view.ts'
import { changeAccount } from './change-account.ts'

export const updateAccount = operation(
  {
    id: 'updateAccount',
    summary: 'Change an account',
    description: 'Replaces each object in the body as a whole and keeps the others. Send `kyc` or `kyb`, not both.',
    tag: 'Accounts',
    method: 'PATCH',
    path: '/accounts/:accountId',
    scopes: ['account.update'],
    idempotency: 'required',
    params: AccountPath,
    body: AccountChange,
    bodyExamples: accountChangeExamples,
    success: { status: 200, body: Account },
    errors: [requestErrors.not_found, accountErrors.account_erased],
  },
  async ({ params, body }, { tenantId, tx, vault, audit }) => {
    const key = { tenantId, ...params }
    const account = found(await lockAccount(tx, key), 'There is no such account.')
    if (Object.keys(body).length === 0) return viewAccount(account, vault)
    return viewAccount(await changeAccount({ tx, vault, audit }, key, account, body), vault)
  },
)
