import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const tokenActionErrors = declareErrors({
  token_not_deployed: {
    status: 409,
    type: 'conflict_error',
    cause: 'The token of the offering is not deployed yet, or the tenant has no signer on its chain.',
    remedy: 'Open the offering and wait until its token is deployed.',
  },
  token_action_not_in_state: {
    status: 409,
    type: 'conflict_error',
    cause: 'The token action was already confirmed or rejected, or it has expired.',
    remedy: 'Read the token action; propose it again if it is still needed.',
  },
  second_admin_required: {
    status: 403,
    type: 'permission_error',
    cause: 'The user who proposed a token action cannot confirm it.',
    remedy: 'Have another admin of the tenant confirm it.',
  },
})
