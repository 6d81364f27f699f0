import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { lockEntry, setEntryResolved } from '../entry.sql.ts'
import { statementErrors } from '../statement.errors.ts'
import { EntryResolution, StatementEntry, StatementEntryPath } from '../statement.schema.ts'
import { countEntryAsResolved } from '../statement.sql.ts'
import { viewEntry } from '../statement.view.ts'

export const resolveStatementEntry = operatorOperation(
  {
    id: 'resolveStatementEntry',
    summary: 'Resolve a statement entry',
    description:
      'Records how an operator resolved an entry that needs attention, for example with a call to the bank, a refund ' +
      'or a manually recorded payment. Moves no money: the entry becomes `resolved` and is no longer counted in ' +
      '`needs_attention`. Resolving it again changes nothing.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/statements/:statementId/entries/:entryId/resolve',
    duty: 'money',
    approval: 'never',
    idempotency: 'optional',
    params: StatementEntryPath,
    body: EntryResolution,
    success: { status: 200, body: StatementEntry },
    errors: [requestErrors.not_found, statementErrors.statement_entry_not_resolvable],
  },
  async ({ params, body: { resolution } }, { tenantId, tx, vault, audit }) => {
    const key = { tenantId, ...params }
    const entry = found(await lockEntry(tx, key), 'The statement entry does not exist.')
    if (entry.state === 'resolved') {
      audit('nothing changed')
      return viewEntry(entry, vault)
    }
    if (entry.state !== 'needs_attention')
      throw new ApiError(
        statementErrors.statement_entry_not_resolvable,
        `The entry is in state ${entry.state}. Only entries in needs_attention can be resolved.`,
      )
    const resolved = await setEntryResolved(tx, key, resolution)
    await countEntryAsResolved(tx, key)
    audit({
      action: 'statement_entry.resolved',
      subject: { type: 'statement_entry', id: entry.id },
      before: { state: entry.state },
      after: { state: resolved.state, resolution },
    })
    return viewEntry(resolved, vault)
  },
)
