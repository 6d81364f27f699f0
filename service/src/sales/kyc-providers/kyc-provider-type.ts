import { addKycProviderToDirectory } from '../../access/providers/add-provider-to-directory.job.ts'
import { authenticateSigner, type SendingProvider } from '../../access/providers/authenticate-signer.ts'
import type { Providers } from '../../access/providers/providers.ts'
import type { Verify } from '../../platform/api/declare/signed-request.ts'
import { hasStandardSignature } from '../../platform/api/declare/standard-signature.ts'
import { kycProviderErrors } from './kyc-provider.errors.ts'
import { type KycProviderRow, kycProviderTable } from './kyc-provider.sql.ts'
import { hasSumsubSignature } from './sumsub-signature.ts'

export const kycProviderType: Providers<KycProviderRow> = {
  type: 'kyc_provider',
  label: 'KYC provider',
  unknown: 'There is no such KYC provider.',
  givenSecret: 'the secret key that Sumsub shows',
  table: kycProviderTable,
  addToDirectory: addKycProviderToDirectory,
  errors: { exists: kycProviderErrors.kyc_provider_exists, disabled: kycProviderErrors.kyc_provider_disabled },
}

export type SendingKycProvider = SendingProvider<KycProviderRow>

export const authenticateKycProvider: Verify<SendingKycProvider> = (request, services) =>
  authenticateSigner(request, services, kycProviderType, (kind, signed, secrets) =>
    kind === 'sumsub' ? hasSumsubSignature(signed, secrets) : hasStandardSignature(signed, secrets),
  )
