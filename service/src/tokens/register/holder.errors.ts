import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const holderErrors = declareErrors({
  block_not_finalized: {
    status: 409,
    cause: 'The block is not finalized yet, or the indexer has not read it yet.',
    remedy: 'Use an earlier block, or wait.',
  },
})
