import { authenticateSigner } from '../../access/providers/authenticate-signer.ts'
import type { SignedServices } from '../../platform/api/declare/services.ts'
import type { Sender, SignedRequest } from '../../platform/api/declare/signed-request.ts'
import { hasStandardSignature } from '../../platform/api/declare/standard-signature.ts'
import { findKycProvider, type KycProviderRow } from './kyc-provider.sql.ts'
import { kycSecretContext } from './kyc-secret-context.ts'
import { hasSumsubSignature } from './sumsub-signature.ts'

export interface SendingKycProvider
  extends Sender,
    Pick<KycProviderRow, 'kind' | 'name' | 'approvals' | 'validityDays' | 'kycLevels' | 'kybLevels'> {
  /** True if its checks must be real, not from a sandbox. */
  readonly isLive: boolean
}

/** Returns the KYC provider that signed the request, or undefined if the signature is not valid. */
export async function authenticateKycProvider(
  request: SignedRequest,
  services: SignedServices,
): Promise<SendingKycProvider | undefined> {
  const found = await authenticateSigner(request, services, {
    type: 'kyc_provider',
    find: findKycProvider,
    secretContext: kycSecretContext,
    isSigned: ({ kind }, signed, secrets) =>
      kind === 'sumsub' ? hasSumsubSignature(signed, secrets) : hasStandardSignature(signed, secrets),
  })
  if (!found) return undefined
  const { tenantId, id, provider } = found
  const { kind, name, approvals, validityDays, kycLevels, kybLevels } = provider
  return { tenantId, id, kind, name, approvals, validityDays, kycLevels, kybLevels, isLive: services.isLive }
}
