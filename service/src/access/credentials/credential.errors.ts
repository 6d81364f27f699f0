import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const credentialErrors = declareErrors({
  invalid_client: {
    status: 401,
    type: 'authentication_error',
    cause: 'There is no such credential, or the secret is not one of its live ones.',
    remedy: 'Check client_id and client_secret, and that they belong to this environment.',
  },
  scope_not_granted: {
    status: 403,
    type: 'permission_error',
    cause: 'POST /auth was asked for a scope that the credential does not hold.',
    remedy: 'Ask for less, or have an admin issue a credential with that scope.',
  },
  credential_disabled: {
    status: 409,
    type: 'conflict_error',
    cause: 'The credential is disabled, which is for ever.',
    remedy: 'Make a new credential.',
  },
})
