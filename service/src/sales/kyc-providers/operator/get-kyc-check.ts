import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { KycCheck, KycCheckPath } from '../kyc-check.schema.ts'
import { findNamedKycCheck } from '../kyc-check.sql.ts'
import { viewKycCheck } from '../kyc-check.view.ts'

export const getKycCheck = operatorOperation(
  {
    id: 'getKycCheck',
    summary: 'Read a KYC check',
    description: 'To see what the provider said, reveal the check.',
    tag: 'KYC providers',
    method: 'GET',
    path: '/kyc-checks/:checkId',
    duty: 'read',
    idempotency: 'none',
    params: KycCheckPath,
    success: { status: 200, body: KycCheck },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx }) => {
    const check = await findNamedKycCheck(tx, { tenantId, ...params })
    if (!check) throw new ApiError(requestErrors.not_found, 'There is no such KYC check.')
    return viewKycCheck(check)
  },
)
