import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { Statement, StatementPath } from '../statement.schema.ts'
import { findStatement } from '../statement.sql.ts'
import { viewStatement } from '../statement.view.ts'

export const getStatement = operatorOperation(
  {
    id: 'getStatement',
    summary: 'Get a bank statement',
    description: 'Its balances and the number of entries by state. Processing is complete when `pending` is 0.',
    tag: 'Payments and refunds',
    method: 'GET',
    path: '/statements/:statementId',
    duty: 'read',
    idempotency: 'none',
    params: StatementPath,
    success: { status: 200, body: Statement },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx }) => {
    const statement = found(await findStatement(tx, { tenantId, ...params }), 'The statement does not exist.')
    return viewStatement(statement)
  },
)
