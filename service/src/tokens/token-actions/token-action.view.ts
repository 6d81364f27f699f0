import type { Static } from 'typebox'
import { viewApiRow } from '../../platform/api/declare/api-row.ts'
import type { OperatorContext } from '../../platform/api/declare/operation.ts'
import { openRequest } from '../../platform/api/pipeline/propose.ts'
import type { NewTokenAction, TokenAction } from './token-action.schema.ts'
import type { TokenActionRow } from './token-action.sql.ts'
import { type TokenActionMember, tokenActionMemberNames } from './token-action-kinds.ts'

/** Builds the view. The members are in the sealed request of the approval. */
export async function viewTokenAction(
  context: Pick<OperatorContext, 'tx' | 'vault' | 'callerNames'>,
  row: TokenActionRow,
): Promise<Static<typeof TokenAction>> {
  const { request: _sealed, ...members } = row
  const { body } = await openRequest(context, row)
  const absent = Object.fromEntries(tokenActionMemberNames.map((name) => [name, null]))
  const nameOf = (id: string | null) => (id === null ? null : (context.callerNames.get(id) ?? null))
  return {
    ...viewApiRow(members),
    ...(absent as Record<TokenActionMember, null>),
    // Validated against this schema when it was proposed.
    ...(body as Static<typeof NewTokenAction>),
    proposed_by_name: nameOf(row.proposed_by),
    decided_by_name: nameOf(row.decided_by),
  }
}
