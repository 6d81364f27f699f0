import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { OfferingPath } from '../../offerings/offering.schema.ts'
import { findOffering } from '../../offerings/operator/operator-offering.sql.ts'
import { EligibilityRules } from '../eligibility.schema.ts'
import { readRules } from '../eligibility.view.ts'

export const getEligibility = operatorOperation(
  {
    id: 'getEligibility',
    summary: 'Read who may buy an offering',
    description: 'The rules of the offering. Version 0: it has none, and everyone may buy.',
    tag: 'Offerings',
    method: 'GET',
    path: '/offerings/:offeringId/eligibility',
    duty: 'read',
    idempotency: 'none',
    params: OfferingPath,
    success: { status: 200, body: EligibilityRules },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    found(await findOffering(tx, key), 'There is no such offering.')
    return readRules(tx, key)
  },
)
