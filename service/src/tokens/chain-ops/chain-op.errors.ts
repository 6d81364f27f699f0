import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const chainOpErrors = declareErrors({
  chain_op_not_in_state: {
    status: 409,
    cause: 'The state of the chain op does not allow this.',
    remedy: 'Read the chain op to see its current state.',
  },
  chain_op_not_retryable: {
    status: 409,
    cause: 'Nothing waits for this chain op any more, or its action needs two people to approve it again.',
    remedy: 'Read what the message names, or propose the token action again.',
  },
  transaction_already_attached: {
    status: 409,
    cause: 'The transaction is already an attempt of this chain op or of another one.',
    remedy: 'Read the chain op: its attempts list all transactions that the worker watches.',
  },
})
