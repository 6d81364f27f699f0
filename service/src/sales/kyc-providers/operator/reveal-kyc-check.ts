import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { KycCheckPath, RevealedKycCheck } from '../kyc-check.schema.ts'
import { findKycDetails } from '../kyc-check.sql.ts'
import { kycDetailsContext } from '../kyc-check.view.ts'

export const revealKycCheck = operatorOperation(
  {
    id: 'revealKycCheck',
    summary: 'Show what a KYC provider said',
    description: 'The notification in the format of the provider. The audit log records who has seen it.',
    tag: 'KYC providers',
    method: 'POST',
    path: '/kyc-checks/:checkId/reveal',
    duty: 'personal',
    approval: 'never',
    // A stored response could be shown again without a record in the audit log.
    idempotency: 'none',
    params: KycCheckPath,
    success: { status: 200, body: RevealedKycCheck },
    errors: [requestErrors.not_found],
  },
  async ({ params: { checkId } }, { tenantId, tx, vault, audit }) => {
    const details = await findKycDetails(tx, { tenantId, checkId })
    if (details === undefined) throw new ApiError(requestErrors.not_found, 'There is no such KYC check.')
    const shown = details === null ? [] : ['details']
    audit({ action: 'kyc_check.revealed', subject: { type: 'kyc_check', id: checkId }, after: { shown } })
    return { id: checkId, details: details && JSON.parse(await vault.open(details, kycDetailsContext(checkId))) }
  },
)
