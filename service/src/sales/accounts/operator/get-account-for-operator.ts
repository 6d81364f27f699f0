import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { AccountPath } from '../account.schema.ts'
import { OperatorAccount } from './operator-account.schema.ts'
import { findOperatorAccount } from './operator-account.sql.ts'
import { viewOperatorAccount } from './operator-account.view.ts'

export const getAccountForOperator = operatorOperation(
  {
    id: 'getAccount',
    summary: 'Read an account',
    description:
      'The account as integrators see it, with counts and `findings` to review before a decision. Findings never ' +
      'block an account.',
    tag: 'Accounts',
    method: 'GET',
    path: '/accounts/:accountId',
    duty: 'read',
    idempotency: 'none',
    params: AccountPath,
    success: { status: 200, body: OperatorAccount },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx, vault }) => {
    const account = found(await findOperatorAccount(tx, { tenantId, ...params }), 'There is no such account.')
    return viewOperatorAccount(account, vault)
  },
)
