import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { OfferingPath } from '../offering.schema.ts'
import { OperatorOffering } from './operator-offering.schema.ts'
import { findOffering } from './operator-offering.sql.ts'
import { viewOperatorOffering } from './operator-offering.view.ts'

export const getOfferingForOperator = operatorOperation(
  {
    id: 'getOffering',
    summary: 'Read an offering',
    description:
      'The offering as integrators see it, with its collection account, payment terms and reserved and minted units.',
    tag: 'Offerings',
    method: 'GET',
    path: '/offerings/:offeringId',
    duty: 'read',
    idempotency: 'none',
    params: OfferingPath,
    success: { status: 200, body: OperatorOffering },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx }) => {
    const offering = found(await findOffering(tx, { tenantId, ...params }), 'There is no such offering.')
    return viewOperatorOffering(offering)
  },
)
