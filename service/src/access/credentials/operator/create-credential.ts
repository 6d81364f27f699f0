import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { enqueueDirectoryEvent } from '../../../records/events/record-directory-event.job.ts'
import { tenantErrors } from '../../tenants/tenant.errors.ts'
import { CredentialWithSecret, NewCredential } from '../credential.schema.ts'
import { findCredential } from '../credential.sql.ts'
import { viewCredential } from '../credential.view.ts'
import { credentialPolicies } from '../credential-policies.ts'
import { issueCredential } from '../issue-credential.ts'

export const createCredential = directoryOperation(
  {
    id: 'createCredential',
    summary: 'Issue a credential',
    description:
      'Integrators exchange it for access tokens at `POST /auth`. Store the secret: it is shown only in this response.',
    tag: 'Credentials',
    method: 'POST',
    path: '/credentials',
    duty: 'integrations',
    approval: 'policy',
    idempotency: 'none',
    body: NewCredential,
    success: {
      status: 201,
      body: CredentialWithSecret,
      location: ({ client_id }: { client_id: string }) => `/credentials/${client_id}`,
    },
    errors: [tenantErrors.tenant_limit_reached],
  },
  async ({ body }, { tenantId, tx, secretPeppers, audit }) => {
    const { clientId, clientSecret } = await issueCredential(tx, secretPeppers, {
      tenantId,
      name: body.name,
      scopes: body.scopes,
      defaultVersion: body.default_version ?? null,
      requestsPerMinute: body.requests_per_minute ?? 30,
    })
    const credential = await findCredential(tx, { tenantId, clientId })
    if (!credential) throw new Error('the inserted credential was not found')
    const { name, scopes, requests_per_minute, default_version } = viewCredential(credential)
    const data = { client_id: clientId, scopes, requests_per_minute }
    await enqueueDirectoryEvent(tx, tenantId, { type: 'credential.issued', data })
    const after = { name, scopes, requests_per_minute, default_version }
    audit({ action: 'credential.issued', subject: { type: 'credential', id: clientId }, after })
    return { ...viewCredential(credential), client_secret: clientSecret }
  },
  { policy: ({ body }) => credentialPolicies(body.scopes), subject: 'tenant' },
)
