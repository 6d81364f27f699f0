import type { ErrorEntry } from './error-entry.ts'

/** Who may call. */
export const accessErrors = {
  credential_disabled: {
    status: 409,
    type: 'conflict_error',
    cause: 'The credential is disabled, which is for ever.',
    remedy: 'Make a new credential.',
  },
  administrator_exists: {
    status: 409,
    type: 'conflict_error',
    cause: 'Somebody with this e-mail address is an administrator of the tenant already.',
    remedy: 'Find them in GET /administrators and change their role.',
  },
  last_administrator: {
    status: 409,
    type: 'conflict_error',
    cause: 'Nobody else in the tenant has the role administrator, so nobody could say who may call.',
    remedy: 'Give somebody else the role administrator first.',
  },
} as const satisfies Record<string, ErrorEntry>
