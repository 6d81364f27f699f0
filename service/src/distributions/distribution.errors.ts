import { declareErrors } from '../platform/api/errors/declare-errors.ts'

export const distributionErrors = declareErrors({
  distribution_not_in_state: {
    status: 409,
    cause: 'The status of the distribution, of its file or of its entitlement does not allow this.',
    remedy: 'Read the distribution. The message says which status is needed, and what leads to it.',
  },
  register_differs: {
    status: 409,
    cause: 'The register of the token differs from its chain, so a distribution could pay the wrong holders.',
    remedy:
      'Find out why. If the register is right, two persons accept it: `POST /offerings/{offeringId}/resume-minting`.',
  },
  distribution_without_holders: {
    status: 409,
    cause: 'No address had units of the token at the record time.',
    remedy: 'Correct `record_at`, or wait until the token is minted.',
  },
})
