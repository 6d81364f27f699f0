import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { decideKycCheck } from '../decide-kyc-check.ts'
import { KycCheck, KycCheckDecision, KycCheckPath } from '../kyc-check.schema.ts'
import { kycProviderErrors } from '../kyc-provider.errors.ts'
import { kycCheckDecision } from '../lock-checked-account.ts'

export const dismissKycCheck = operatorOperation(
  {
    id: 'dismissKycCheck',
    summary: 'Dismiss a KYC check',
    description:
      'Takes the check from the queue without following it: the account keeps its status. Dismissing it again ' +
      'changes nothing.',
    tag: 'KYC providers',
    method: 'POST',
    path: '/kyc-checks/:checkId/dismiss',
    duty: 'compliance',
    approval: 'never',
    decides: kycCheckDecision,
    idempotency: 'optional',
    params: KycCheckPath,
    body: KycCheckDecision,
    success: { status: 200, body: KycCheck },
    errors: [requestErrors.not_found, kycProviderErrors.kyc_check_not_queued],
  },
  ({ params: { checkId }, body: { reason } }, context) =>
    decideKycCheck(context, checkId, { status: 'dismissed', reason }, async () => undefined),
)
