import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const offeringErrors = declareErrors({
  offering_not_open: {
    status: 409,
    type: 'conflict_error',
    cause: 'The offering is closed, or the time in which it is sold has not begun or is over.',
    remedy: 'Read the offering: status, opens_at and closes_at say when it can be bought.',
  },
  offering_not_draft: {
    status: 409,
    type: 'conflict_error',
    cause: 'The offering has been opened: what is sold under its terms can no longer change.',
    remedy: 'Read the offering to see its status. Make a new draft for other terms.',
  },
  offering_incomplete: {
    status: 409,
    type: 'conflict_error',
    cause: 'The draft lacks something without which it cannot be sold.',
    remedy: 'Change the draft so that it has what the message names, then open it again.',
  },
  offering_not_opened: {
    status: 409,
    type: 'conflict_error',
    cause: 'The offering is a draft, which nobody can buy: there is nothing to close.',
    remedy: 'Leave it as it is, or open it first.',
  },
  offering_sold_out: {
    status: 409,
    type: 'conflict_error',
    cause: 'The order asks for more units than the offering has left.',
    remedy: 'Read available_units of the offering and order no more than that.',
  },
})
