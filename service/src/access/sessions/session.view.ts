import type { Static } from 'typebox'
import type { OperatorProof } from '../../platform/api/declare/services.ts'
import type { Session } from './session.schema.ts'
import type { SessionRow } from './session.sql.ts'

export function viewSession(row: SessionRow, proof: OperatorProof): Static<typeof Session> {
  return {
    id: row.id,
    is_current: proof.id === row.id,
    is_break_glass: row.isBreakGlass,
    user_agent: row.userAgent,
    source_address: row.sourceAddress,
    created_at: row.createdAt.toISOString(),
    last_seen_at: row.lastSeenAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    revoked_at: row.revokedAt?.toISOString() ?? null,
  }
}
