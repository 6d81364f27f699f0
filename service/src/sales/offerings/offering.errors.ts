import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const offeringErrors = declareErrors({
  offering_not_open: {
    status: 409,
    type: 'conflict_error',
    cause: 'The offering is closed, or the current time is not between its opens_at and closes_at.',
    remedy: 'Read status, opens_at and closes_at of the offering.',
  },
  offering_not_draft: {
    status: 409,
    type: 'conflict_error',
    cause: 'The offering is open or closed. Only a draft can be changed or opened.',
    remedy: 'Read the status of the offering. Create a new draft for other terms.',
  },
  offering_incomplete: {
    status: 409,
    type: 'conflict_error',
    cause: 'The draft does not meet the conditions for opening.',
    remedy: 'Change the draft as the message says, then open it.',
  },
  offering_not_opened: {
    status: 409,
    type: 'conflict_error',
    cause: 'The offering is a draft. Only an open offering can be closed.',
    remedy: 'Open the offering first, or keep the draft.',
  },
  offering_sold_out: {
    status: 409,
    type: 'conflict_error',
    cause: 'The order has more units than the offering has available.',
    remedy: 'Read available_units of the offering and order at most that number.',
  },
})
