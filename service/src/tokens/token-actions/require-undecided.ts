import { ApiError } from '../../platform/api/errors/errors.ts'
import { tokenActionErrors } from './token-action.errors.ts'
import type { TokenActionRow } from './token-action.sql.ts'
import { isExpired } from './token-action.view.ts'

export function requireUndecided(action: TokenActionRow, now: Date): void {
  if (isExpired(action, now))
    throw new ApiError(
      tokenActionErrors.token_action_not_in_state,
      `The token action expired at ${action.expiresAt.toISOString()}: propose it again.`,
    )
  if (action.state !== 'proposed')
    throw new ApiError(tokenActionErrors.token_action_not_in_state, `The token action is already ${action.state}.`)
}
