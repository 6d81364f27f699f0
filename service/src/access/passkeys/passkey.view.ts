import type { Static } from 'typebox'
import type { Passkey } from './passkey.schema.ts'
import type { PasskeyRow } from './passkey.sql.ts'

export function viewPasskey(row: Omit<PasskeyRow, 'publicKey' | 'signCount' | 'transports'>): Static<typeof Passkey> {
  return {
    id: row.id.toString('base64url'),
    name: row.name,
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
  }
}
