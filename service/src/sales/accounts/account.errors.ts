import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const accountErrors = declareErrors({
  account_erased: {
    status: 409,
    type: 'conflict_error',
    cause: 'The personal data of the account was erased, so it can no longer be changed or used.',
    remedy: 'Create a new account for the investor.',
  },
})
