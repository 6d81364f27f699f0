import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const orderErrors = declareErrors({
  order_not_cancellable: {
    status: 409,
    type: 'conflict_error',
    cause: 'The order is being minted or has been: its tokens can no longer be kept from the chain.',
    remedy: 'Read the order to see its status. There is no way back by this API.',
  },
  order_not_in_state: {
    status: 409,
    type: 'conflict_error',
    cause: 'The order is in a state that does not allow this.',
    remedy: 'Read the order: its status and blockers say what can be done.',
  },
  account_not_approved: {
    status: 409,
    type: 'conflict_error',
    cause: 'The offering is sold to approved accounts only, and this one is not approved.',
    remedy: 'Have kyc (individual) or kyb (company) of the account approved first.',
  },
})
