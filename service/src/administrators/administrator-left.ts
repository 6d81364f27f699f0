import { ApiError } from '../http/errors.ts'
import type { PresentAdministrator } from './administrator.sql.ts'

/** Throws where nobody but this one could say who may call. `present` must be held. */
export function requireAdministratorLeft(present: readonly PresentAdministrator[], without: string): void {
  if (present.some(({ id, role }) => id !== without && role === 'administrator')) return
  throw new ApiError('last_administrator', 'Nobody else has the role administrator. Give it to somebody else first.')
}
