import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { kycProviderErrors } from '../kyc-provider.errors.ts'
import { KycProvider, KycProviderChange, KycProviderPath } from '../kyc-provider.schema.ts'
import { kycProviderVersion, lockKycProvider, updateLockedKycProvider } from '../kyc-provider.sql.ts'
import { viewKycProvider } from '../kyc-provider.view.ts'
import { requireEnabledKycProvider } from '../require-enabled-kyc-provider.ts'

export const updateKycProvider = operatorOperation(
  {
    id: 'updateKycProvider',
    summary: 'Change a KYC provider',
    description:
      'Changes how results that arrive from now on are handled: whether approvals are applied or wait for an ' +
      'operator, and how long they are valid. What is decided or waits already stays as it is. Applying approvals ' +
      'without an operator, and a longer validity, may need a second person.',
    tag: 'KYC providers',
    method: 'PATCH',
    path: '/kyc-providers/:kycProviderId',
    duty: 'integrations',
    approval: 'policy',
    idempotency: 'optional',
    params: KycProviderPath,
    body: KycProviderChange,
    bodyExamples: { apply: { approvals: 'apply' }, validity: { validity_days: 365 } },
    success: { status: 200, body: KycProvider },
    errors: [requestErrors.not_found, kycProviderErrors.kyc_provider_disabled],
  },
  async ({ params: { kycProviderId }, body }, { tenantId, tx, audit }) => {
    const key = { tenantId, providerId: kycProviderId }
    const provider = await requireEnabledKycProvider(tx, key)
    const { approvals = provider.approvals, validity_days: validityDays = provider.validityDays } = body
    if (approvals === provider.approvals && validityDays === provider.validityDays) audit('nothing changed')
    else {
      await updateLockedKycProvider(tx, key, { ...provider, approvals, validityDays })
      audit({
        action: 'kyc_provider.changed',
        subject: { type: 'kyc_provider', id: kycProviderId },
        before: { approvals: provider.approvals, validity_days: provider.validityDays },
        after: { approvals, validity_days: validityDays },
      })
    }
    return viewKycProvider({ ...provider, approvals, validityDays })
  },
  {
    policy: 'kyc_provider',
    subject: 'kyc_provider',
    isNeeded: async ({ params: { kycProviderId }, body }, { tenantId, tx }) => {
      const provider = await lockKycProvider(tx, { tenantId, providerId: kycProviderId })
      if (!provider) return false
      const { approvals, validity_days: days } = body
      const isLonger = days !== undefined && (days ?? Infinity) > (provider.validityDays ?? Infinity)
      return (approvals === 'apply' && provider.approvals === 'queue') || isLonger
    },
    version: kycProviderVersion,
  },
)
