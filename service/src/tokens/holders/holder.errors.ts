import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const holderErrors = declareErrors({
  block_not_finalized: {
    status: 409,
    type: 'conflict_error',
    cause: 'The block is not final yet, or has not been read yet.',
    remedy: 'Ask for an earlier block, or wait.',
  },
})
