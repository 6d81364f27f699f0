import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { enqueueDirectoryEvent } from '../../../records/events/record-directory-event.job.ts'
import { Credential, CredentialPath } from '../credential.schema.ts'
import { findCredential } from '../credential.sql.ts'
import { viewCredential } from '../credential.view.ts'
import { disableIssuedCredential } from '../disable-issued-credential.ts'

export const disableCredential = directoryOperation(
  {
    id: 'disableCredential',
    summary: 'Disable a credential',
    description:
      'It cannot get new tokens, and its tokens are rejected within seconds. It cannot be enabled again. Disabling ' +
      'it again changes nothing.',
    tag: 'Credentials',
    method: 'POST',
    path: '/credentials/:clientId/disable',
    duty: 'integrations',
    approval: 'never',
    idempotency: 'none',
    params: CredentialPath,
    success: { status: 200, body: Credential },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx, audit }) => {
    const key = { tenantId, ...params }
    const outcome = await disableIssuedCredential(tx, key)
    const credential = await findCredential(tx, key)
    if (!outcome || !credential) throw new ApiError(requestErrors.not_found, 'There is no such credential.')
    const view = viewCredential(credential)
    if (outcome === 'already disabled') audit('nothing changed')
    else {
      await enqueueDirectoryEvent(tx, tenantId, { type: 'credential.disabled', data: { client_id: params.clientId } })
      const subject = { type: 'credential', id: params.clientId }
      audit({ action: 'credential.disabled', subject, after: { disabled_at: view.disabled_at } })
    }
    return view
  },
)
