import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { Credential, CredentialPath } from '../credential.schema.ts'
import { findCredential } from '../credential.sql.ts'
import { viewCredential } from '../credential.view.ts'

export const getCredential = directoryOperation(
  {
    id: 'getCredential',
    summary: 'Read a credential',
    description: 'The scopes, rate limit and status of a credential.',
    tag: 'Credentials',
    method: 'GET',
    path: '/credentials/:clientId',
    duty: 'read',
    idempotency: 'none',
    params: CredentialPath,
    success: { status: 200, body: Credential },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx }) => {
    const credential = await findCredential(tx, { tenantId, ...params })
    if (!credential) throw new ApiError(requestErrors.not_found, 'There is no such credential.')
    return viewCredential(credential)
  },
)
