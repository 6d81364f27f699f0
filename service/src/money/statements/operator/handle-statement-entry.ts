import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { handleEntry, lockEntry } from '../entry.sql.ts'
import { statementErrors } from '../statement.errors.ts'
import { EntryHandling, StatementEntry, StatementEntryPath } from '../statement.schema.ts'
import { countHandled } from '../statement.sql.ts'
import { viewEntry } from '../statement.view.ts'

export const handleStatementEntry = operatorOperation(
  {
    id: 'handleStatementEntry',
    summary: 'Say that an entry was dealt with',
    description:
      'What the bank did was looked at, and what had to be done about it is done: a call to the bank, a refund, a ' +
      'payment by hand. This moves no money; the entry is `handled` and no longer counted in `attention`. Saying it ' +
      'again changes nothing.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/statements/:statementId/entries/:entryId/handle',
    role: 'operator',
    idempotency: 'optional',
    params: StatementEntryPath,
    body: EntryHandling,
    success: { status: 200, body: StatementEntry },
    errors: [requestErrors.not_found, statementErrors.statement_entry_not_in_attention],
  },
  async ({ params, body: { reason } }, { tenantId, tx, vault, audit }) => {
    const key = { tenantId, ...params }
    const entry = await lockEntry(tx, key)
    if (!entry) throw new ApiError(requestErrors.not_found, 'There is no such entry.')
    if (entry.state === 'handled') {
      audit('nothing changed')
      return viewEntry(entry, vault)
    }
    if (entry.state !== 'attention')
      throw new ApiError(
        statementErrors.statement_entry_not_in_attention,
        `The entry is ${entry.state}: nobody has to look at it.`,
      )
    const handled = await handleEntry(tx, key, reason)
    await countHandled(tx, key)
    audit({
      action: 'statement_entry.handled',
      subject: { type: 'statement_entry', id: entry.id },
      before: { state: entry.state },
      after: { state: handled.state, reason },
    })
    return viewEntry(handled, vault)
  },
)
