import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { statementErrors } from '../statement.errors.ts'
import { Statement, StatementDiscard, StatementPath } from '../statement.schema.ts'
import { tryLockStatementImport } from '../statement.sql.ts'
import { viewStatement } from '../statement.view.ts'
import { discardLockedStatement } from '../statement-booking.sql.ts'
import { lockStatement } from '../statement-continuity.sql.ts'

export const discardStatement = operatorOperation(
  {
    id: 'discardStatement',
    summary: 'Discard a bank statement that waits for booking',
    description:
      'For a file that must not be booked, for example because the second person rejected it. Its entries are ' +
      'removed, and it no longer waits for booking. The same file can be imported again. Discarding it again changes ' +
      'nothing.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/statements/:statementId/discard',
    duty: 'money',
    approval: 'never',
    idempotency: 'optional',
    params: StatementPath,
    body: StatementDiscard,
    success: { status: 200, body: Statement },
    errors: [requestErrors.not_found, statementErrors.statement_import_busy, statementErrors.statement_not_waiting],
  },
  async ({ params, body: { reason } }, { tenantId, tx, audit }) => {
    const key = { tenantId, ...params }
    // An import relies on the entries that it has seen. Like bookStatement, this does not wait for it.
    if (!(await tryLockStatementImport(tx, tenantId)))
      throw new ApiError(
        statementErrors.statement_import_busy,
        'A statement is being imported. Discard this one when GET /statements lists the other.',
      )
    const statement = found(await lockStatement(tx, key), 'The statement does not exist.')
    if (statement.discardedAt) {
      audit('nothing changed')
      return viewStatement(statement)
    }
    if (!statement.waitsForBooking)
      throw new ApiError(statementErrors.statement_not_waiting, 'The entries of the statement are already booked.')
    const discarded = await discardLockedStatement(tx, key, reason)
    audit({
      action: 'statement.discarded',
      subject: { type: 'statement', id: statement.id },
      before: { waits_for_booking: true, entries: statement.entryCount },
      after: { waits_for_booking: false, entries: 0, reason },
    })
    return viewStatement(discarded)
  },
)
