import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const personalDataErrors = declareErrors({
  account_not_erasable: {
    status: 409,
    cause: 'The personal data of the account is still needed. The message lists all reasons.',
    remedy: 'Resolve the reasons in the message, or wait until the retention period ends.',
  },
})
