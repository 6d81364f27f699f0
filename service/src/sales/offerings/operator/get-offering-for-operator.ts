import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { readOne } from '../../../platform/api/declare/read-one.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { OfferingPath } from '../offering.schema.ts'
import { OperatorOffering } from './operator-offering.schema.ts'
import { findOffering } from './operator-offering.sql.ts'
import { viewOperatorOffering } from './operator-offering.view.ts'

export const getOfferingForOperator = operatorOperation(
  {
    ...readOne,
    id: 'getOffering',
    summary: 'Read an offering',
    description:
      'The offering as integrators see it, with its collection account, payment terms and reserved and minted units.',
    tag: 'Offerings',
    path: '/offerings/:offeringId',
    duty: 'read',
    params: OfferingPath,
    success: { status: 200, body: OperatorOffering },
  },
  async ({ params }, { tenantId, tx }) => {
    const offering = found(await findOffering(tx, { tenantId, ...params }), 'There is no such offering.')
    return viewOperatorOffering(offering)
  },
)
