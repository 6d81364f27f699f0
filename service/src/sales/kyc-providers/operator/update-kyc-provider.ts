import type { Static } from 'typebox'
import { requireEnabledProvider } from '../../../access/providers/providers.ts'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { validationFailed } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { canonicalJson } from '../../../platform/api/pipeline/idempotency.ts'
import { kycProviderErrors } from '../kyc-provider.errors.ts'
import { KycProvider, KycProviderChange, KycProviderPath } from '../kyc-provider.schema.ts'
import { type KycProviderRow, kycProviderTable, updateLockedKycProvider } from '../kyc-provider.sql.ts'
import { viewKycProvider } from '../kyc-provider.view.ts'
import { kycProviderType } from '../kyc-provider-type.ts'

export const updateKycProvider = operatorOperation(
  {
    id: 'updateKycProvider',
    summary: 'Change a KYC provider',
    description:
      'Changes how results that arrive from now on are handled: whether approvals are applied or wait for an ' +
      'operator, how long they are valid, and which levels of Sumsub approve. What is decided or waits already stays ' +
      'as it is. Applying approvals without an operator, a longer validity and a further level may need a second ' +
      'person.',
    tag: 'KYC providers',
    method: 'PATCH',
    path: '/kyc-providers/:kycProviderId',
    duty: 'integrations',
    approval: 'policy',
    idempotency: 'optional',
    params: KycProviderPath,
    body: KycProviderChange,
    bodyExamples: {
      apply: { approvals: 'apply' },
      validity: { validity_days: 365 },
      levels: { kyc_levels: ['id-and-liveness'] },
    },
    success: { status: 200, body: KycProvider },
    errors: [requestErrors.not_found, kycProviderErrors.kyc_provider_disabled],
  },
  async ({ params: { kycProviderId }, body }, { tenantId, tx, audit }) => {
    const key = { tenantId, providerId: kycProviderId }
    const provider = await requireEnabledProvider(kycProviderType, tx, key)
    requireKindWithLevels(provider, body)
    const changed = {
      ...provider,
      approvals: body.approvals ?? provider.approvals,
      validityDays: body.validity_days === undefined ? provider.validityDays : body.validity_days,
      kycLevels: body.kyc_levels ?? provider.kycLevels,
      kybLevels: body.kyb_levels ?? provider.kybLevels,
    }
    const [before, after] = [settingsOf(provider), settingsOf(changed)]
    if (canonicalJson(before) === canonicalJson(after)) audit('nothing changed')
    else {
      await updateLockedKycProvider(tx, key, changed)
      audit({ action: 'kyc_provider.changed', subject: { type: 'kyc_provider', id: kycProviderId }, before, after })
    }
    return viewKycProvider(changed)
  },
  {
    policy: 'kyc_provider',
    subject: 'kyc_provider',
    isNeeded: async ({ params: { kycProviderId }, body }, { tenantId, tx }) => {
      const provider = await kycProviderTable.lock(tx, { tenantId, providerId: kycProviderId })
      if (!provider) return false
      const { approvals, validity_days: days } = body
      const isLonger = days !== undefined && (days ?? Infinity) > (provider.validityDays ?? Infinity)
      const isWider = isAdded(body.kyc_levels, provider.kycLevels) || isAdded(body.kyb_levels, provider.kybLevels)
      return (approvals === 'apply' && provider.approvals === 'queue') || isLonger || isWider
    },
    fingerprint: kycProviderTable.fingerprint,
  },
)

const settingsOf = ({ kind, approvals, validityDays, kycLevels, kybLevels }: KycProviderRow) => ({
  approvals,
  validity_days: validityDays,
  ...(kind === 'sumsub' ? { kyc_levels: kycLevels, kyb_levels: kybLevels } : {}),
})

const isAdded = (wanted: readonly string[] = [], listed: readonly string[]) =>
  wanted.some((level) => !listed.includes(level))

function requireKindWithLevels({ kind }: KycProviderRow, body: Static<typeof KycProviderChange>): void {
  if (kind === 'sumsub') return
  const failures = (['kyc_levels', 'kyb_levels'] as const)
    .filter((name) => body[name] !== undefined)
    .map((name) => ({
      detail: `The member ${name} is not allowed: a standard provider has no levels.`,
      pointer: `/${name}`,
    }))
  if (failures.length > 0) throw validationFailed(failures)
}
