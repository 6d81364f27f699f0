import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const userErrors = declareErrors({
  user_exists: {
    status: 409,
    type: 'conflict_error',
    cause: 'The tenant already has a user with this e-mail address.',
    remedy: 'Find the user with GET /users and change the role.',
  },
  last_admin: {
    status: 409,
    type: 'conflict_error',
    cause: 'The user is the only one in the tenant with the role admin.',
    remedy: 'Give another user the role admin first.',
  },
})
