import type { OperatorOperation } from '../../platform/api/declare/operation.ts'
import { acceptKycCheck } from './operator/accept-kyc-check.ts'
import { createKycProvider } from './operator/create-kyc-provider.ts'
import { disableKycProvider } from './operator/disable-kyc-provider.ts'
import { dismissKycCheck } from './operator/dismiss-kyc-check.ts'
import { getKycCheck } from './operator/get-kyc-check.ts'
import { getKycProvider } from './operator/get-kyc-provider.ts'
import { listKycChecks } from './operator/list-kyc-checks.ts'
import { listKycProviders } from './operator/list-kyc-providers.ts'
import { revealKycCheck } from './operator/reveal-kyc-check.ts'
import { rotateKycProvider } from './operator/rotate-kyc-provider.ts'
import { updateKycProvider } from './operator/update-kyc-provider.ts'

/** Operations on KYC providers and their reports. */
export const kycProviderOperations: readonly OperatorOperation[] = [
  createKycProvider, //  POST  /kyc-providers
  listKycProviders, //   GET   /kyc-providers
  getKycProvider, //     GET   /kyc-providers/:kycProviderId
  updateKycProvider, //  PATCH /kyc-providers/:kycProviderId
  disableKycProvider, // POST  /kyc-providers/:kycProviderId/disable
  rotateKycProvider, //  POST  /kyc-providers/:kycProviderId/rotate

  listKycChecks, //      GET   /kyc-checks
  getKycCheck, //        GET   /kyc-checks/:checkId
  acceptKycCheck, //     POST  /kyc-checks/:checkId/accept
  dismissKycCheck, //    POST  /kyc-checks/:checkId/dismiss
  revealKycCheck, //     POST  /kyc-checks/:checkId/reveal
]
