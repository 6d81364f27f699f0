import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const tokenActionErrors = declareErrors({
  token_not_deployed: {
    status: 409,
    type: 'conflict_error',
    cause: 'The offering has no token on its chain yet, or the tenant has no signer there.',
    remedy: 'Open the offering and wait for the deployment of its token.',
  },
  token_action_not_in_state: {
    status: 409,
    type: 'conflict_error',
    cause: 'Somebody has decided about this action already, or nobody has in time.',
    remedy: 'Read the action; propose it again if it is still wanted.',
  },
  second_admin_required: {
    status: 403,
    type: 'permission_error',
    cause: 'Whoever has proposed an action on a token cannot confirm it.',
    remedy: 'Have another admin of the tenant confirm it.',
  },
})
