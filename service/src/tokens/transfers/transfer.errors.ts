import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const transferErrors = declareErrors({
  transfer_not_in_state: {
    status: 409,
    cause: 'The status or the reason of the transfer does not allow this operation.',
    remedy: 'Read the transfer. The message says which status is needed, and what leads to it.',
  },
  transfer_blocked: {
    status: 409,
    cause: 'A precondition of the transfer is not met, such as lock-up, a freeze or the KYC status of the receiver.',
    remedy: 'Read the transfer: each of its blockers has a remedy.',
  },
})
