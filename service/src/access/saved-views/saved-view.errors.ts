import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const savedViewErrors = declareErrors({
  saved_view_limit_reached: {
    status: 409,
    cause: 'You have saved as many views as a user may have.',
    remedy: 'Delete a view that you no longer need.',
  },
})
