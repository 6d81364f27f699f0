import { tenantErrors } from '../../../access/tenants/tenant.errors.ts'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { importStatementFile } from '../import-statement-file.ts'
import { statementErrors } from '../statement.errors.ts'
import { StatementImport } from '../statement.schema.ts'
import { statementFormats } from '../statement-formats.ts'
import { statementUpload } from '../statement-upload.ts'

export const importStatement = operatorOperation(
  {
    id: 'importStatement',
    summary: 'Import a bank statement',
    description:
      'Send the file as the bank exports it. It is imported completely or not at all. Its statements wait until they ' +
      'are booked (`POST /statements/{statementId}/book`), unless the policy `statement_booking` is off. A service ' +
      'user can propose that at once: the people who created it or were shown one of its tokens count as proposers, ' +
      'so a person who is none of them confirms. When booked, a credit that names an order pays it, ' +
      'any other becomes an unassigned payment (`GET /unassigned-payments`); a debit settles the refund that it ' +
      'pays, and a returned refund fails. An entry that was imported before, from this file or another one, ' +
      'changes nothing. Supported formats: ' +
      `${statementFormats.map(({ name }) => name).join(', ')}.`,
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/statements',
    duty: 'money',
    approval: 'never',
    // Idempotent by the fingerprints of the entries, so no key is needed.
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
      tenantErrors.tenant_limit_reached,
    ],
  },
  async ({ file }, { tenantId, tx, vault, operator, audit }) => {
    // Nothing proves that a file comes from the bank. A service user is no bank channel: a person was shown its token.
    const waitsForBooking = operator.policies.statement_booking !== null
    const result = await importStatementFile({ tenantId, tx, vault, waitsForBooking }, file)
    if (!result.is_new) audit('nothing changed')
    else
      for (const { id, entries, duplicates, bank_id, continuity, waits_for_booking } of result.statements)
        audit({
          action: 'statement.imported',
          subject: { type: 'statement', id },
          after: { bank_id, entries, duplicates, continuity, waits_for_booking },
        })
    return result
  },
)
