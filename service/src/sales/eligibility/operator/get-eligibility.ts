import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { readOne } from '../../../platform/api/declare/read-one.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { OfferingPath } from '../../offerings/offering.schema.ts'
import { findOffering } from '../../offerings/operator/operator-offering.sql.ts'
import { EligibilityRules } from '../eligibility.schema.ts'
import { readRules } from '../eligibility.view.ts'

export const getEligibility = operatorOperation(
  {
    ...readOne,
    id: 'getEligibility',
    summary: 'Read who may buy an offering',
    description: 'The rules of the offering. Version 0: it has none, and everyone may buy.',
    tag: 'Offerings',
    path: '/offerings/:offeringId/eligibility',
    duty: 'read',
    params: OfferingPath,
    success: { status: 200, body: EligibilityRules },
  },
  async ({ params }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    found(await findOffering(tx, key), 'There is no such offering.')
    return readRules(tx, key)
  },
)
