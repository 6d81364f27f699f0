import { ApiError } from '../../platform/api/errors/errors.ts'
import { userErrors } from './user.errors.ts'
import type { UserRow } from './user.sql.ts'

/**
 * Throws unless at least two people with the duty `team` remain: adding a user needs a second person, so one alone
 * could never add another. The caller must have locked all users of the tenant.
 */
export function requireTeam(remaining: readonly Pick<UserRow, 'kind' | 'duties'>[]): void {
  const count = remaining.filter(
    ({ kind, duties }) => kind === 'person' && duties.some(({ duty }) => duty === 'team'),
  ).length
  if (count >= 2) return
  throw new ApiError(
    userErrors.team_too_small,
    'At least two people must have the duty team. Give it to another person first.',
  )
}
