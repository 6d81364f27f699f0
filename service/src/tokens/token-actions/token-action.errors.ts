import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const tokenActionErrors = declareErrors({
  token_not_deployed: {
    status: 409,
    cause: 'The token of the offering is not deployed yet, or the tenant has no signer on its chain.',
    remedy: 'Open the offering and wait until its token is deployed.',
  },
})
