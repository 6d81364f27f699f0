import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const approvalErrors = declareErrors({
  approval_not_pending: {
    status: 409,
    cause: 'The approval was already confirmed, rejected or withdrawn, or has expired.',
    remedy: 'Read the approval; propose the change again if it is still needed.',
  },
  second_person_required: {
    status: 403,
    cause: 'The person who proposed a change, or who can act as the service user that did, cannot confirm it.',
    remedy: 'Have another person with the duty in `confirm_duty` confirm it.',
  },
  second_person_too_new: {
    status: 403,
    cause:
      'Within the last seven days the proposer invited the second person or gave them the duty, or the second person ' +
      'invited the proposer.',
    remedy: 'Have a person confirm it who does not depend on the proposer, or wait until seven days have passed.',
  },
  emergency_session: {
    status: 403,
    cause: 'An emergency sign-in cannot confirm anything for 24 hours, and cannot register passkeys.',
    remedy: 'Sign in as usual, or wait.',
  },
  proposer_left: {
    status: 409,
    cause: 'The user who proposed the change was removed or no longer has the duty for it.',
    remedy: 'Have a user with the duty propose it again.',
  },
})
