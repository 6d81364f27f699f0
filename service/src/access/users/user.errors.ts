import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const userErrors = declareErrors({
  user_exists: {
    status: 409,
    type: 'conflict_error',
    cause: 'Somebody with this e-mail address is an user of the tenant already.',
    remedy: 'Find them in GET /users and change their role.',
  },
  last_admin: {
    status: 409,
    type: 'conflict_error',
    cause: 'Nobody else in the tenant has the role user, so nobody could say who may call.',
    remedy: 'Give somebody else the role user first.',
  },
})
