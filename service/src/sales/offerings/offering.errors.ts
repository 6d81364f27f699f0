import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const offeringErrors = declareErrors({
  offering_not_open: {
    status: 409,
    cause: 'The offering is closed or paused, or the current time is not between its opens_at and closes_at.',
    remedy: 'Read status, opens_at and closes_at of the offering.',
  },
  offering_not_draft: {
    status: 409,
    cause: 'The offering is open or closed. Only a draft can be changed or opened.',
    remedy: 'Read the status of the offering. Create a new draft for other terms.',
  },
  offering_incomplete: {
    status: 409,
    cause: 'The draft does not meet the conditions for opening.',
    remedy: 'Change the draft as the message says, then open it.',
  },
  offering_not_opened: {
    status: 409,
    cause: 'The offering is a draft. Only an open offering can be closed.',
    remedy: 'Open the offering first, or keep the draft.',
  },
  soft_cap_not_missed: {
    status: 409,
    cause: 'The offering has no soft cap, has met it, or is still open.',
    remedy: 'Read the offering. Close it first if it can no longer reach its soft cap.',
  },
  offering_not_on_sale: {
    status: 409,
    cause:
      'The offering is a draft or closed. Only an open or paused offering can be paused, resumed or given other terms.',
    remedy: 'Read the status of the offering. Change a draft with PATCH /offerings/{offeringId}.',
  },
  offering_cap_too_low: {
    status: 409,
    cause: 'The new total_units are fewer than the units that are reserved or minted.',
    remedy: 'Read reserved_units and issued_units of the offering. Cancel orders, or choose a higher total.',
  },
  token_cap_too_low: {
    status: 409,
    cause: 'The new total_units exceed the cap of the token on its chain, so the additional units could not be minted.',
    remedy:
      'Propose the token action SET_CAP. Once it is executed, token_cap of the offering has the new cap: try again.',
  },
  offering_sold_out: {
    status: 409,
    cause: 'The order has more units than the offering has available.',
    remedy: 'Read available_units of the offering and order at most that number.',
  },
})
