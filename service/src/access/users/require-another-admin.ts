import { ApiError } from '../../platform/api/errors/errors.ts'
import { userErrors } from './user.errors.ts'
import type { UserRow } from './user.sql.ts'

/** Throws if no user other than `userId` is an admin. The caller must have locked all `users` of the tenant. */
export function requireAnotherAdmin(users: readonly UserRow[], userId: string): void {
  if (users.some(({ id, role }) => id !== userId && role === 'admin')) return
  throw new ApiError(userErrors.last_admin, 'No other user has the role admin. Give it to another user first.')
}
