import type { KnownOperator } from '../../platform/api/declare/services.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'

/** Throws unless the caller is the user or has the duty `team`. */
export function requireSelfOrTeam({ userId: callerId, duties }: KnownOperator, userId: string): void {
  if (callerId === userId || duties.some(({ duty }) => duty === 'team')) return
  throw new ApiError(requestErrors.insufficient_duty, 'You need the duty team for what belongs to another user.')
}
