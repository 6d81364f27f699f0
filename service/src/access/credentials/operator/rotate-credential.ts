import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { recordEventLater } from '../../../records/events/record-directory-event.job.ts'
import { credentialErrors } from '../credential.errors.ts'
import { CredentialPath, CredentialRotation, CredentialWithSecret, overlapHoursUsual } from '../credential.schema.ts'
import { describeCredential } from '../credential.sql.ts'
import { viewCredential } from '../credential.view.ts'
import { rotateSecret } from '../rotate-secret.ts'

export const rotateCredential = directoryOperation(
  {
    id: 'rotateCredential',
    summary: 'Give a credential a new secret',
    description:
      'The secret in use goes on working for `overlap_hours`, so that the integrator changes over without a gap. For ' +
      'a secret that leaked say 0: it ends at once, and so do the tokens that were got with it. The new secret is ' +
      'shown this once.',
    tag: 'Credentials',
    method: 'POST',
    path: '/credentials/:clientId/rotate',
    role: 'admin',
    idempotency: 'none',
    params: CredentialPath,
    body: CredentialRotation,
    success: { status: 200, body: CredentialWithSecret },
    errors: [requestErrors.not_found, credentialErrors.credential_disabled],
  },
  async ({ params, body }, { tenantId, tx, secretPeppers, audit }) => {
    const key = { tenantId, ...params }
    const overlapHours = body.overlap_hours ?? overlapHoursUsual
    const rotated = await rotateSecret(tx, secretPeppers, { ...key, overlapSeconds: overlapHours * 3600 })
    if ('refused' in rotated)
      throw rotated.refused === 'disabled'
        ? new ApiError(credentialErrors.credential_disabled, 'The credential is disabled.')
        : new ApiError(requestErrors.not_found, 'There is no such credential.')
    const credential = await describeCredential(tx, key)
    if (!credential) throw new Error('a credential that is held is gone')
    const view = viewCredential(credential)
    const data = { client_id: params.clientId, old_secret_ends_at: view.old_secret_ends_at }
    await recordEventLater(tx, tenantId, { type: 'credential.rotated', data })
    const subject = { type: 'credential', id: params.clientId }
    audit({ action: 'credential.rotated', subject, after: { overlap_hours: overlapHours } })
    return { ...view, client_secret: rotated.clientSecret }
  },
)
