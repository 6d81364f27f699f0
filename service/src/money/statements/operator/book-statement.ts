import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { enqueueJob } from '../../../platform/jobs/enqueue.sql.ts'
import { matchStatements } from '../match-statements.job.ts'
import { statementErrors } from '../statement.errors.ts'
import { Statement, StatementPath } from '../statement.schema.ts'
import { findStatement, tryLockStatementImport } from '../statement.sql.ts'
import { viewStatement } from '../statement.view.ts'
import { setStatementBooked, statementFingerprint, sumPendingEntries } from '../statement-booking.sql.ts'
import { lockStatement } from '../statement-continuity.sql.ts'
import { checkContinuity } from '../statement-continuity.ts'

export const bookStatement = operatorOperation(
  {
    id: 'bookStatement',
    summary: 'Book a bank statement',
    description:
      'For a statement that `waits_for_booking`. A worker then processes its entries. Before you confirm it, compare ' +
      'its balances and entries with what the bank shows. The threshold of the policy is compared with the sum of ' +
      'credits and debits; a statement that settles or returns a transfer, or takes a payment back, needs a second ' +
      'person at any amount. Booking it again changes nothing.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/statements/:statementId/book',
    duty: 'money',
    approval: 'policy',
    idempotency: 'optional',
    params: StatementPath,
    success: { status: 200, body: Statement },
    errors: [requestErrors.not_found, statementErrors.statement_import_busy, statementErrors.statement_not_waiting],
  },
  async ({ params }, { tenantId, tx, audit }) => {
    const key = { tenantId, ...params }
    // Does not wait: an import may wait for the row of this statement, which a confirmation has locked already.
    if (!(await tryLockStatementImport(tx, tenantId)))
      throw new ApiError(
        statementErrors.statement_import_busy,
        'A statement is being imported. Book this one when GET /statements lists the other.',
      )
    const statement = found(await lockStatement(tx, key), 'The statement does not exist.')
    if (statement.discardedAt)
      throw new ApiError(statementErrors.statement_not_waiting, 'The statement was discarded. Import its file again.')
    if (!statement.waitsForBooking) {
      audit('nothing changed')
      return viewStatement(statement)
    }
    const sums = await sumPendingEntries(tx, key)
    await checkContinuity(tx, tenantId, await setStatementBooked(tx, key))
    await enqueueJob(tx, matchStatements, { tenant_id: tenantId })
    const booked = (await findStatement(tx, key)) ?? statement
    audit({
      action: 'statement.booked',
      subject: { type: 'statement', id: statement.id },
      before: { waits_for_booking: true },
      after: { waits_for_booking: false, continuity: booked.continuity, credits: sums?.credits, debits: sums?.debits },
    })
    return viewStatement(booked)
  },
  {
    policy: 'statement_booking',
    confirmDuty: 'release',
    subject: 'statement',
    // Booking a statement again, or one that does not exist, changes nothing.
    isNeeded: async ({ params }, { tenantId, tx }) =>
      (await findStatement(tx, { tenantId, ...params }))?.waitsForBooking === true,
    amount: async ({ params }, { tenantId, tx }) => {
      const sums = await sumPendingEntries(tx, { tenantId, ...params })
      // A bank may report fractions of a minor unit. Without an amount, the statement always needs a second person.
      return sums?.total.isWhole ? sums.total : undefined
    },
    // A forged debit can make a redemption look paid, and a forged return can make a refund be paid twice.
    isNeededAtAnyAmount: async ({ params }, { tenantId, tx }) =>
      (await sumPendingEntries(tx, { tenantId, ...params }))?.concernsTransfers === true,
    fingerprint: statementFingerprint,
  },
)
