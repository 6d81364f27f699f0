import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const accountErrors = declareErrors({
  acknowledgement_missing: {
    status: 409,
    cause: 'The account has `approval_risks` that the approval does not acknowledge.',
    remedy: 'Check the account. If it is right to approve it nevertheless, send the risks in `acknowledged`.',
  },
  account_erased: {
    status: 409,
    cause: 'The personal data of the account was erased, so it can no longer be changed or used.',
    remedy: 'Create a new account for the investor.',
  },
})
