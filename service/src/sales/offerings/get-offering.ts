import { operation } from '../../platform/api/declare/operation.ts'
import { readOne } from '../../platform/api/declare/read-one.ts'
import { found } from '../../platform/api/errors/found.ts'
import { Offering, OfferingPath } from './offering.schema.ts'
import { findVisibleOffering } from './offering.sql.ts'
import { viewOffering } from './offering.view.ts'

export const getOffering = operation(
  {
    ...readOne,
    id: 'getOffering',
    summary: 'Read an offering',
    description: 'The offering with its token, its price and the units that are still available.',
    tag: 'Offerings',
    path: '/offerings/:offeringId',
    scopes: ['offering.read'],
    params: OfferingPath,
    success: { status: 200, body: Offering },
  },
  async ({ params }, { tenantId, tx }) => {
    const offering = found(await findVisibleOffering(tx, { tenantId, ...params }), 'There is no such offering.')
    return viewOffering(offering)
  },
)
