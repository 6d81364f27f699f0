import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { RevealedPayer } from '../../payments/payer.schema.ts'
import { lockEntry } from '../entry.sql.ts'
import { StatementEntryPath } from '../statement.schema.ts'
import { openDetails } from '../statement.view.ts'

export const revealStatementEntry = operatorOperation(
  {
    id: 'revealStatementEntry',
    summary: 'Show the payer of a statement entry',
    description: 'With the IBAN in full. The audit log records who has seen it.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/statements/:statementId/entries/:entryId/reveal',
    duty: 'personal',
    approval: 'never',
    // A stored response would be shown again without a record in the audit log.
    idempotency: 'none',
    params: StatementEntryPath,
    success: { status: 200, body: RevealedPayer },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx, vault, audit }) => {
    const entry = found(await lockEntry(tx, { tenantId, ...params }), 'The statement entry does not exist.')
    audit({
      action: 'statement_entry.revealed',
      subject: { type: 'statement_entry', id: entry.id },
      after: { shown: ['payer_iban'] },
    })
    const { payerName, payerIban } = await openDetails(vault, entry)
    return { payer_name: payerName, payer_iban: payerIban }
  },
)
