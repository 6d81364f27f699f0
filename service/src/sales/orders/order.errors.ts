import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const orderErrors = declareErrors({
  order_not_cancellable: {
    status: 409,
    cause: 'The order is being minted or is already minted, so it can no longer be cancelled.',
    remedy: 'Read the order to see its status. This API cannot undo a mint.',
  },
  order_not_in_state: {
    status: 409,
    cause: 'The status of the order does not allow this operation.',
    remedy: 'Read the order: its status and blockers show what is possible.',
  },
  account_not_approved: {
    status: 409,
    cause: 'The offering is sold to approved accounts only, and this account is not approved.',
    remedy: 'Have kyc (individual) or kyb (company) of the account approved first.',
  },
})
