import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { accountErrors } from '../../accounts/account.errors.ts'
import { requireNotErased } from '../../accounts/require-not-erased.ts'
import { applyKycCheck } from '../apply-kyc-check.ts'
import { decideKycCheck } from '../decide-kyc-check.ts'
import { KycCheck, KycCheckDecision, KycCheckPath } from '../kyc-check.schema.ts'
import { kycProviderErrors } from '../kyc-provider.errors.ts'
import { checkedAccountVersion, kycCheckDecision, lockCheckedAccount } from '../lock-checked-account.ts'

export const acceptKycCheck = operatorOperation(
  {
    id: 'acceptKycCheck',
    summary: 'Accept a KYC check',
    description:
      'Gives the account the status that the provider reported: APPROVED or REJECTED. Orders that wait for the ' +
      'approval advance or stop. Older checks of the account that wait are outdated. Accepting an approval of an ' +
      'account that is REJECTED may need a second person. Accepting it again changes nothing.',
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
    ],
  },
  ({ params: { checkId }, body: { reason } }, context) =>
    decideKycCheck(context, checkId, { status: 'applied', reason }, async ({ check, account }) => {
      requireNotErased(account)
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
    version: checkedAccountVersion,
  },
)
