import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { importFile } from '../import-file.ts'
import { statementErrors } from '../statement.errors.ts'
import { StatementImport } from '../statement.schema.ts'
import { statementUpload } from '../statement-upload.ts'

export const importStatement = operatorOperation(
  {
    id: 'importStatement',
    summary: 'Import a bank statement',
    description:
      'A file in camt.053, as the bank exports it, sent as it is. It is taken over whole or not at all. Credits that ' +
      'name an order pay it, others wait in `GET /unassigned-payments`; refunds that left the account are settled, ' +
      'those that came back have failed. An entry that is known, from this file or another one, changes nothing.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/statements',
    role: 'operator',
    // A file that comes twice changes nothing the second time: that is known by its entries, not by a key.
    idempotency: 'none',
    upload: statementUpload,
    success: { status: 201, body: StatementImport },
    errors: [
      statementErrors.statement_unreadable,
      statementErrors.statement_format_unsupported,
      statementErrors.statement_unbalanced,
      statementErrors.statement_currency_mismatch,
      statementErrors.statement_account_unknown,
      statementErrors.statement_import_busy,
    ],
  },
  async ({ file }, { tenantId, tx, vault, audit }) => {
    const result = await importFile({ tenantId, tx, vault }, file)
    if (!result.is_new) audit('nothing changed')
    else
      for (const { id, entries, duplicates, bank_id } of result.statements)
        audit({
          action: 'statement.imported',
          subject: { type: 'statement', id },
          after: { bank_id, entries, duplicates },
        })
    return result
  },
)
