import type { Static } from 'typebox'
import type { OperatorContext } from '../../platform/api/declare/operation.ts'
import { openRequest } from '../../platform/api/pipeline/propose.ts'
import type { NewTokenAction, TokenAction } from './token-action.schema.ts'
import type { TokenActionRow } from './token-action.sql.ts'

/** Builds the view. The members are in the sealed request of the approval. */
export async function viewTokenAction(
  context: Pick<OperatorContext, 'tx' | 'vault' | 'callerNames'>,
  row: TokenActionRow,
): Promise<Static<typeof TokenAction>> {
  const { body } = await openRequest(context, row)
  // Validated against this schema when it was proposed.
  const { kind, wallet_address, to_address, units, reason } = body as Static<typeof NewTokenAction>
  const nameOf = (id: string | null) => (id === null ? null : (context.callerNames.get(id) ?? null))
  return {
    id: row.id,
    offering_id: row.offeringId,
    offering_name: row.offeringName,
    kind,
    wallet_address: wallet_address ?? null,
    to_address: to_address ?? null,
    units: units ?? null,
    reason,
    state: row.state,
    proposed_by: row.proposedBy,
    proposed_by_name: nameOf(row.proposedBy),
    proposed_at: row.proposedAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    decided_by: row.decidedBy,
    decided_by_name: nameOf(row.decidedBy),
    decided_at: row.decidedAt?.toISOString() ?? null,
    chain_op_id: row.opId,
  }
}
