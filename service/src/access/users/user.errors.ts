import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const userErrors = declareErrors({
  user_exists: {
    status: 409,
    cause: 'The tenant already has a user with this e-mail address.',
    remedy: 'Find the user with GET /users and change their duties.',
  },
  team_too_small: {
    status: 409,
    cause: 'The change would leave fewer than two people with the duty `team`.',
    remedy: 'Give the duty `team` to another person first.',
  },
  duties_forbidden: {
    status: 409,
    cause: 'The tenant forbids two of the duties in one user.',
    remedy: 'Give one of the two duties to another user.',
  },
  already_signed_in: {
    status: 409,
    cause: 'Only a person who has not signed in yet can be sent an invitation.',
    remedy: 'Nothing is needed. A person who lost all passkeys: see docs/decisions/operators.md.',
  },
  service_user_in_team: {
    status: 409,
    cause: 'A service user cannot have the duty `team`.',
    remedy: 'Leave out the duty `team`: only people change users, duties and policies.',
  },
  not_your_token: {
    status: 403,
    cause: 'Users create personal access tokens for themselves only.',
    remedy: 'Ask the user to sign in and create the token.',
  },
})
