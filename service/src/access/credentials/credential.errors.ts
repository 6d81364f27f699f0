import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const credentialErrors = declareErrors({
  invalid_client: {
    status: 401,
    cause: 'The credential does not exist or is disabled, or the secret is wrong or expired.',
    remedy: 'Check client_id and client_secret, and that they belong to this environment.',
  },
  scope_not_granted: {
    status: 403,
    cause: 'POST /auth requested a scope that the credential is not granted.',
    remedy: 'Request fewer scopes, or have an admin grant the scope to the credential.',
  },
  credential_disabled: {
    status: 409,
    cause: 'The credential is disabled. A disabled credential cannot be enabled again.',
    remedy: 'Create a new credential.',
  },
})
