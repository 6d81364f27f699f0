import { ApiError } from '../http/errors.ts'
import type { TokenActionRow } from './token-action.sql.ts'
import { isExpired } from './token-action.view.ts'

export function requireUndecided(action: TokenActionRow, now: Date): void {
  if (isExpired(action, now))
    throw new ApiError('token_action_not_in_state', `The action has expired at ${action.expiresAt.toISOString()}.`)
  if (action.state !== 'proposed')
    throw new ApiError('token_action_not_in_state', `The action is ${action.state} already.`)
}
