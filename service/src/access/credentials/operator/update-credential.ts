import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { enqueueDirectoryEvent } from '../../../records/events/record-directory-event.job.ts'
import { tenantErrors } from '../../tenants/tenant.errors.ts'
import { lockDirectoryLimits } from '../../tenants/tenant-limits.sql.ts'
import { credentialErrors } from '../credential.errors.ts'
import { Credential, CredentialChange, CredentialPath } from '../credential.schema.ts'
import { credentialFingerprint, lockCredential, revokeTokens, updateLockedCredential } from '../credential.sql.ts'
import { viewCredential } from '../credential.view.ts'
import { credentialPolicies } from '../credential-policies.ts'
import { requireCredentialRoom } from '../require-credential-room.ts'

export const updateCredential = directoryOperation(
  {
    id: 'updateCredential',
    summary: 'Change a credential',
    description:
      'Replaces the members in the body and keeps the others. Removing a scope revokes, within seconds, all tokens ' +
      'issued so far, because they may carry it.',
    tag: 'Credentials',
    method: 'PATCH',
    path: '/credentials/:clientId',
    duty: 'integrations',
    approval: 'policy',
    idempotency: 'none',
    params: CredentialPath,
    body: CredentialChange,
    success: { status: 200, body: Credential },
    errors: [requestErrors.not_found, credentialErrors.credential_disabled, tenantErrors.tenant_limit_reached],
  },
  async ({ params, body }, { tenantId, tx, audit }) => {
    const key = { tenantId, ...params }
    // Locks the tenant before the credential, as everywhere.
    if (body.requests_per_minute !== undefined) await lockDirectoryLimits(tx, tenantId)
    const credential = await lockCredential(tx, key)
    if (!credential) throw new ApiError(requestErrors.not_found, 'There is no such credential.')
    if (credential.disabledAt) throw new ApiError(credentialErrors.credential_disabled, 'The credential is disabled.')
    const before = viewCredential(credential)
    const after = { ...before, ...body }
    const names = (['name', 'scopes', 'requests_per_minute'] as const).filter(
      (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    )
    if (names.length === 0) {
      audit('nothing changed')
      return before
    }
    const { name, scopes, requests_per_minute: requestsPerMinute } = after
    if (requestsPerMinute > before.requests_per_minute) await requireCredentialRoom(tx, { ...key, requestsPerMinute })
    await updateLockedCredential(tx, key, { name, scopes, requestsPerMinute })
    if (before.scopes.some((scope) => !scopes.includes(scope))) await revokeTokens(tx, key)
    const data = { client_id: params.clientId, changed: names }
    await enqueueDirectoryEvent(tx, tenantId, { type: 'credential.changed', data })
    const of = (state: typeof before) => Object.fromEntries(names.map((member) => [member, state[member]]))
    const subject = { type: 'credential', id: params.clientId }
    audit({ action: 'credential.changed', subject, before: of(before), after: of(after) })
    return after
  },
  {
    policy: ({ body }) => credentialPolicies(body.scopes),
    subject: 'credential',
    fingerprint: credentialFingerprint,
  },
)
