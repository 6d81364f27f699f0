import { type OperatorContext, operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { accountErrors } from '../../accounts/account.errors.ts'
import { requireNotErased } from '../../accounts/require-not-erased.ts'
import { applyKycCheck } from '../apply-kyc-check.ts'
import { decideKycCheck } from '../decide-kyc-check.ts'
import { KycCheck, KycCheckDecision, KycCheckPath } from '../kyc-check.schema.ts'
import type { KycCheckRow } from '../kyc-check.sql.ts'
import { kycProviderErrors } from '../kyc-provider.errors.ts'
import { kycProviderTable } from '../kyc-provider.sql.ts'
import { checkedAccountFingerprint, kycCheckDecision, lockCheckedAccount } from '../lock-checked-account.ts'
import { whyNotCounting } from '../why-not-counting.ts'

export const acceptKycCheck = operatorOperation(
  {
    id: 'acceptKycCheck',
    summary: 'Accept a KYC check',
    description:
      'Gives the account the status that the provider reported: APPROVED or REJECTED. Orders that wait for the ' +
      'approval advance or stop. Older checks of the account that wait are outdated. Accepting an approval of an ' +
      'account that is REJECTED may need a second person. Accepting it again changes nothing. ' +
      'An approval with `held_because` cannot be accepted until the provider lists its level.',
    tag: 'KYC providers',
    method: 'POST',
    path: '/kyc-checks/:checkId/accept',
    duty: 'compliance',
    approval: 'policy',
    decides: kycCheckDecision,
    idempotency: 'optional',
    params: KycCheckPath,
    body: KycCheckDecision,
    success: { status: 200, body: KycCheck },
    errors: [
      requestErrors.not_found,
      accountErrors.account_erased,
      kycProviderErrors.kyc_check_not_queued,
      kycProviderErrors.kyc_check_expired,
      kycProviderErrors.kyc_check_held,
    ],
  },
  ({ params: { checkId }, body: { reason } }, context) =>
    decideKycCheck(context, checkId, { status: 'applied', reason }, async ({ check, account }) => {
      requireNotErased(account)
      await requireCounting(context, check)
      if (check.validUntil && check.validUntil <= context.now)
        throw new ApiError(
          kycProviderErrors.kyc_check_expired,
          `The approval was valid until ${check.validUntil.toISOString()}. Dismiss the check.`,
        )
      await applyKycCheck(context, account, check, reason)
    }),
  {
    policy: 'kyc_reapproval',
    subject: 'kyc_check',
    isNeeded: async ({ params }, { tenantId, tx }) => {
      const found = await lockCheckedAccount(tx, { tenantId, ...params })
      return found?.check.outcome === 'approved' && found.account[`${found.check.kind}Status`] === 'REJECTED'
    },
    fingerprint: checkedAccountFingerprint,
  },
)

/** Uses the provider's current levels: one may have been added since the check arrived. */
async function requireCounting(
  { tenantId, tx }: Pick<OperatorContext, 'tenantId' | 'tx'>,
  check: KycCheckRow,
): Promise<void> {
  const provider = await kycProviderTable.find(tx, { tenantId, providerId: check.providerId })
  if (!provider) throw new Error('the provider of the KYC check was not found')
  const reason = whyNotCounting(check.kind, check, provider)
  if (!reason) return
  const level = check.level ?? 'no level'
  throw new ApiError(
    kycProviderErrors.kyc_check_held,
    reason === 'level_not_listed'
      ? `The ${check.kind}_levels of ${provider.name} do not contain ${level}. Add it, or dismiss the check.`
      : `The provider has not checked ${check.kind === 'kyb' ? 'a company' : 'a person'}. Dismiss the check.`,
  )
}
