import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { statementErrors } from '../statement.errors.ts'
import { GapResolution, Statement, StatementPath } from '../statement.schema.ts'
import { viewStatement } from '../statement.view.ts'
import { lockStatement, setGapResolved } from '../statement-continuity.sql.ts'

export const resolveStatementGap = operatorOperation(
  {
    id: 'resolveStatementGap',
    summary: 'Resolve a gap before a bank statement',
    description:
      'For a statement whose `continuity` is `gap` although no statement is missing. Records why, so that it is no ' +
      'longer listed as needing attention. If a statement is missing, import it instead: that closes the gap. ' +
      'Resolving it again changes nothing.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/statements/:statementId/resolve-gap',
    duty: 'money',
    approval: 'never',
    idempotency: 'optional',
    params: StatementPath,
    body: GapResolution,
    success: { status: 200, body: Statement },
    errors: [requestErrors.not_found, statementErrors.statement_gap_not_resolvable],
  },
  async ({ params, body: { resolution } }, { tenantId, tx, audit }) => {
    const key = { tenantId, ...params }
    const statement = found(await lockStatement(tx, key), 'The statement does not exist.')
    if (statement.continuity !== 'gap')
      throw new ApiError(
        statementErrors.statement_gap_not_resolvable,
        `The continuity of the statement is ${statement.continuity}. Only a gap can be resolved.`,
      )
    if (statement.gapResolution !== null) {
      audit('nothing changed')
      return viewStatement(statement)
    }
    const resolved = await setGapResolved(tx, key, resolution)
    const { openingBalance, expectedOpeningBalance } = resolved
    audit({
      action: 'statement.gap_resolved',
      subject: { type: 'statement', id: statement.id },
      before: { opening_balance: openingBalance, expected_opening_balance: expectedOpeningBalance },
      after: { resolution },
    })
    return viewStatement(resolved)
  },
)
