import { ApiError } from '../../platform/api/errors/errors.ts'
import { userErrors } from './user.errors.ts'
import type { PresentUser } from './user.sql.ts'

/** Throws where nobody but this one could say who may call. `present` must be held. */
export function requireAdminLeft(present: readonly PresentUser[], without: string): void {
  if (present.some(({ id, role }) => id !== without && role === 'admin')) return
  throw new ApiError(userErrors.last_admin, 'Nobody else has the role user. Give it to somebody else first.')
}
