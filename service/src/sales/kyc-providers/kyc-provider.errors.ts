import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const kycProviderErrors = declareErrors({
  kyc_provider_exists: {
    status: 409,
    cause: 'An enabled KYC provider already has this name, by which operators distinguish them.',
    remedy: 'Choose another name, rotate the secret of the existing provider, or disable it first.',
  },
  kyc_provider_disabled: {
    status: 409,
    cause: 'The KYC provider is disabled.',
    remedy: 'Create a new one. A disabled provider cannot be enabled again.',
  },
  kyc_provider_limit_reached: {
    status: 409,
    cause: 'The tenant already has as many enabled KYC providers as it may have.',
    remedy: 'Disable one that is no longer used.',
  },
  kyc_mode_mismatch: {
    status: 400,
    cause: 'Sumsub reported a check of its sandbox to a live environment, or a real check to another one.',
    remedy: 'Create the webhook in the mode of Sumsub that fits the environment, and use its secret.',
  },
  kyc_check_not_queued: {
    status: 409,
    cause: 'The KYC check no longer waits for an operator: it was applied or dismissed, or a newer one replaced it.',
    remedy: 'Read the check again. To change the account nevertheless, decide about the account.',
  },
  kyc_check_held: {
    status: 409,
    cause:
      'The approval is of a level that approves nothing, or of another kind of applicant than the account is, such ' +
      'as the review of a person for a company.',
    remedy: 'Add the level to the provider if it is right, or dismiss the check and decide about the account.',
  },
  kyc_check_expired: {
    status: 409,
    cause: 'The approval that the KYC provider reported is no longer valid.',
    remedy: 'Dismiss the check, and have the provider check the investor again.',
  },
})
