import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const chainOpErrors = declareErrors({
  chain_op_not_in_state: {
    status: 409,
    type: 'conflict_error',
    cause: 'The chain op is in a state that does not allow this.',
    remedy: 'Read the op to see how far it has come.',
  },
  chain_op_not_retryable: {
    status: 409,
    type: 'conflict_error',
    cause: 'Nothing waits for this chain op any more, or it is one that two people have to decide.',
    remedy: 'Read what the message names, or propose the action again.',
  },
  transaction_already_attached: {
    status: 409,
    type: 'conflict_error',
    cause: 'The transaction is known already, as an attempt at this chain op or at another one.',
    remedy: 'Read the op: its attempts show what is watched.',
  },
})
