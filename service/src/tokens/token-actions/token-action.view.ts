import type { Static } from 'typebox'
import type { TokenAction } from './token-action.schema.ts'
import type { TokenActionRow } from './token-action.sql.ts'

export function viewTokenAction(row: TokenActionRow, now: Date): Static<typeof TokenAction> {
  const { details } = row
  return {
    id: row.id,
    offering_id: row.offeringId,
    kind: row.kind,
    wallet_address: details.wallet_address ?? null,
    to_address: details.to_address ?? null,
    units: details.units ?? null,
    reason: row.reason,
    state: isExpired(row, now) ? 'expired' : row.state,
    proposed_by: row.proposedBy,
    decided_by: row.decidedBy,
    decided_at: row.decidedAt?.toISOString() ?? null,
    chain_op_id: row.opId,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
  }
}

export function isExpired({ state, expiresAt }: TokenActionRow, now: Date): boolean {
  return state === 'proposed' && expiresAt <= now
}
