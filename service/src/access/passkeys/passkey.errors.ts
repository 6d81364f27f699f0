import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const passkeyErrors = declareErrors({
  passkey_rejected: {
    status: 403,
    cause: 'The passkey is not registered here, its signature is not valid, or the challenge was used or has expired.',
    remedy: 'Request a new challenge and use a passkey that is registered for you.',
  },
  passkey_exists: {
    status: 409,
    cause: 'The passkey is already registered.',
    remedy: 'Register another authenticator, or go on with the one that you have.',
  },
  last_passkey: {
    status: 409,
    cause: 'Without a passkey the person could neither sign in nor confirm anything.',
    remedy: 'Register another passkey first.',
  },
  sign_in_again: {
    status: 403,
    cause: 'The first passkey can be registered only within five minutes of signing in.',
    remedy: 'Sign out, sign in again and register the passkey at once.',
  },
})
