import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const signInErrors = declareErrors({
  provider_unknown: {
    status: 404,
    cause: 'The installation has no identity provider with this name.',
    remedy: 'Use a name from GET /sign-in-methods.',
  },
  step_up_not_proven: {
    status: 403,
    cause:
      'The identity provider did not say that the person has just used a second factor: the claim `auth_time` is ' +
      'missing or old, or neither `acr` nor `amr` has a value of `OIDC_SECOND_FACTORS`.',
    remedy: 'Have the provider send `auth_time` and `acr` or `amr` for this application, or use a passkey.',
  },
  provider_unavailable: {
    status: 503,
    cause: 'The identity provider does not respond.',
    remedy:
      'Try again later. If it stays unavailable, the people who run the installation can create an emergency link.',
  },
  no_user_for_person: {
    status: 403,
    cause: 'The person signed in, but is not a current user of a tenant that uses this way to sign in.',
    remedy: 'Open the link of your invitation mail first, or ask a user with the duty `team` to invite you.',
  },
  invitation_invalid: {
    status: 404,
    cause: 'The link was used, has expired or was replaced, or its user was removed.',
    remedy: 'Ask a user with the duty `team` to send the invitation again.',
  },
  wrong_sign_in_method: {
    status: 409,
    cause: 'The tenant uses another way to sign in: its identity provider, or passkeys if it has none.',
    remedy: 'Open the link again and use the way that the page offers.',
  },
  person_already_user: {
    status: 409,
    cause: 'The person is already another user of this tenant, or the invited user belongs to another person.',
    remedy: 'Sign in as the user that you are, or have the other user removed first.',
  },
})
