import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { enqueueDirectoryEvent } from '../../../records/events/record-directory-event.job.ts'
import { credentialErrors } from '../credential.errors.ts'
import { CredentialPath, CredentialRotation, CredentialWithSecret, overlapHoursDefault } from '../credential.schema.ts'
import { credentialFingerprint, findCredential } from '../credential.sql.ts'
import { viewCredential } from '../credential.view.ts'
import { credentialPolicies } from '../credential-policies.ts'
import { rotateSecret } from '../rotate-secret.ts'

export const rotateCredential = directoryOperation(
  {
    id: 'rotateCredential',
    summary: 'Give a credential a new secret',
    description:
      'The current secret keeps working for `overlap_hours`, so that the integrator can switch without downtime. For ' +
      'a leaked secret send 0: it expires at once and the tokens issued so far are revoked. Store the new secret: it ' +
      'is shown only in this response.',
    tag: 'Credentials',
    method: 'POST',
    path: '/credentials/:clientId/rotate',
    duty: 'integrations',
    approval: 'policy',
    idempotency: 'none',
    params: CredentialPath,
    body: CredentialRotation,
    success: { status: 200, body: CredentialWithSecret },
    errors: [requestErrors.not_found, credentialErrors.credential_disabled],
  },
  async ({ params, body }, { tenantId, tx, secretPeppers, audit }) => {
    const key = { tenantId, ...params }
    const overlapHours = body.overlap_hours ?? overlapHoursDefault
    const rotated = await rotateSecret(tx, secretPeppers, { ...key, overlapSeconds: overlapHours * 3600 })
    if ('rejected' in rotated)
      throw rotated.rejected === 'disabled'
        ? new ApiError(credentialErrors.credential_disabled, 'The credential is disabled.')
        : new ApiError(requestErrors.not_found, 'There is no such credential.')
    const credential = await findCredential(tx, key)
    if (!credential) throw new Error('the locked credential was not found')
    const view = viewCredential(credential)
    const data = { client_id: params.clientId, previous_secret_ends_at: view.previous_secret_ends_at }
    await enqueueDirectoryEvent(tx, tenantId, { type: 'credential.rotated', data })
    const subject = { type: 'credential', id: params.clientId }
    audit({ action: 'credential.rotated', subject, after: { overlap_hours: overlapHours } })
    return { ...view, client_secret: rotated.clientSecret }
  },
  {
    policy: async ({ params }, { tenantId, tx }) =>
      credentialPolicies((await findCredential(tx, { tenantId, ...params }))?.scopes),
    subject: 'credential',
    fingerprint: credentialFingerprint,
  },
)
