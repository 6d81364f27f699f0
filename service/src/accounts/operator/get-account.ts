import { ApiError } from '../../http/errors.ts'
import { operatorOperation } from '../../http/operation.ts'
import { AccountPath } from '../account.schema.ts'
import { OperatorAccount } from './operator-account.schema.ts'
import { findOperatorAccount } from './operator-account.sql.ts'
import { viewOperatorAccount } from './operator-account.view.ts'

export const getAccount = operatorOperation(
  {
    id: 'getAccount',
    summary: 'Read an account',
    description:
      'One account as integrators see it, with how much it has and what to look at before deciding about it: ' +
      '`findings` inform and refuse nothing.',
    tag: 'Accounts',
    method: 'GET',
    path: '/accounts/:accountId',
    role: 'viewer',
    idempotency: 'none',
    params: AccountPath,
    success: { status: 200, body: OperatorAccount },
    errors: ['not_found'],
  },
  async ({ params }, { tenantId, tx, vault }) => {
    const account = await findOperatorAccount(tx, { tenantId, ...params })
    if (!account) throw new ApiError('not_found', 'There is no such account.')
    return viewOperatorAccount(account, vault)
  },
)
