import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { readOne } from '../../../platform/api/declare/read-one.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { AccountPath } from '../account.schema.ts'
import { OperatorAccount } from './operator-account.schema.ts'
import { findOperatorAccount } from './operator-account.sql.ts'
import { viewOperatorAccount } from './operator-account.view.ts'

export const getAccountForOperator = operatorOperation(
  {
    ...readOne,
    id: 'getAccount',
    summary: 'Read an account',
    description:
      'The account as integrators see it, with counts and `findings` to review before a decision. Findings never ' +
      'block an account.',
    tag: 'Accounts',
    path: '/accounts/:accountId',
    duty: 'read',
    params: AccountPath,
    success: { status: 200, body: OperatorAccount },
  },
  async ({ params }, { tenantId, tx, vault }) => {
    const account = found(await findOperatorAccount(tx, { tenantId, ...params }), 'There is no such account.')
    return viewOperatorAccount(account, vault)
  },
)
