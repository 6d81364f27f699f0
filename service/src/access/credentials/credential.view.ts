import type { Static } from 'typebox'
import type { Credential } from './credential.schema.ts'
import type { CredentialRow } from './credential.sql.ts'

export function viewCredential(row: CredentialRow): Static<typeof Credential> {
  return {
    client_id: row.clientId,
    name: row.name,
    scopes: row.scopes,
    requests_per_minute: row.requestsPerMinute,
    default_version: row.defaultVersion,
    created_at: row.createdAt.toISOString(),
    disabled_at: row.disabledAt?.toISOString() ?? null,
    previous_secret_ends_at: row.previousSecretEndsAt?.toISOString() ?? null,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
  }
}
