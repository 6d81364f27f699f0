import { operation } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { fileEncodings } from './file-encodings.ts'
import { RegisterExtract, RegisterExtractPath } from './register-extract.schema.ts'
import { extractContext, findRegisterExtract } from './register-extract.sql.ts'
import { viewRegisterExtract } from './register-extract.view.ts'

export const getRegisterExtract = operation(
  {
    id: 'getRegisterExtract',
    summary: 'Read a register extract of an account',
    description: 'With its file in base64. Decode it, and compare its SHA-256 with `sha256`.',
    tag: 'Accounts',
    method: 'GET',
    path: '/accounts/:accountId/register-extracts/:extractId',
    scopes: ['account.read'],
    idempotency: 'none',
    params: RegisterExtractPath,
    success: { status: 200, body: RegisterExtract },
    errors: [requestErrors.not_found],
    isExtension: true,
  },
  async ({ params }, { tenantId, tx, vault }) => {
    const found = await findRegisterExtract(tx, { tenantId, ...params })
    if (!found) throw new ApiError(requestErrors.not_found, 'Register extract not found.')
    const content = found.content && (await vault.open(found.content, extractContext(found.id)))
    return {
      ...viewRegisterExtract(found),
      content: content && Buffer.from(content, fileEncodings[found.format]).toString('base64'),
    }
  },
)
