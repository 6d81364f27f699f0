import { FileResponse } from '../../../platform/api/declare/file-response.ts'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { statementErrors } from '../statement.errors.ts'
import { StatementPath } from '../statement.schema.ts'
import { findStatement } from '../statement.sql.ts'
import { openStatementFile } from '../statement-file.ts'
import { formatOf, statementFormats } from '../statement-formats.ts'

const [firstFormat, ...otherFormats] = statementFormats

export const downloadStatement = operatorOperation(
  {
    id: 'downloadStatement',
    summary: 'Download the file of a bank statement',
    description:
      'Returns the imported file byte for byte, with the names and IBANs of payers in full. The audit log records ' +
      'who has downloaded it. Files of more than 32 MiB, and files with data of an investor whose data was erased, ' +
      'are not kept.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/statements/:statementId/download',
    duty: 'money',
    approval: 'never',
    // A stored response would be shown again without a record in the audit log.
    idempotency: 'none',
    params: StatementPath,
    success: {
      status: 200,
      body: FileResponse,
      file: firstFormat.mediaTypes[0],
      otherFiles: otherFormats.map(({ mediaTypes }) => mediaTypes[0]),
    },
    errors: [requestErrors.not_found, statementErrors.statement_file_missing],
  },
  async ({ params }, context) => {
    const { tenantId, tx, audit } = context
    const statement = found(await findStatement(tx, { tenantId, ...params }), 'The statement does not exist.')
    const file = await openStatementFile(context, statement.fileHash)
    if (!file)
      throw new ApiError(statementErrors.statement_file_missing, 'The file of the statement was too large to be kept.')
    audit({
      action: 'statement.downloaded',
      subject: { type: 'statement', id: statement.id },
      after: { bytes: file.length, sha256: statement.fileHash.toString('hex') },
    })
    const { fileEnding, mediaTypes } = formatOf(file)
    return { name: `statement-${statement.id}.${fileEnding}`, type: mediaTypes[0], content: file }
  },
)
