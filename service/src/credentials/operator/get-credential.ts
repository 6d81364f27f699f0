import { ApiError } from '../../http/errors.ts'
import { directoryOperation } from '../../http/operation.ts'
import { Credential, CredentialPath } from '../credential.schema.ts'
import { describeCredential } from '../credential.sql.ts'
import { viewCredential } from '../credential.view.ts'

export const getCredential = directoryOperation(
  {
    id: 'getCredential',
    summary: 'Read a credential',
    description: 'What a credential may do, and whether it still may.',
    tag: 'Credentials',
    method: 'GET',
    path: '/credentials/:clientId',
    role: 'viewer',
    idempotency: 'none',
    params: CredentialPath,
    success: { status: 200, body: Credential },
    errors: ['not_found'],
  },
  async ({ params }, { tenantId, tx }) => {
    const credential = await describeCredential(tx, { tenantId, ...params })
    if (!credential) throw new ApiError('not_found', 'There is no such credential.')
    return viewCredential(credential)
  },
)
