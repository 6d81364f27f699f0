import { operation } from '../../platform/api/declare/operation.ts'
import { found } from '../../platform/api/errors/found.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { Offering, OfferingPath } from './offering.schema.ts'
import { findVisibleOffering } from './offering.sql.ts'
import { viewOffering } from './offering.view.ts'

export const getOffering = operation(
  {
    id: 'getOffering',
    summary: 'Read an offering',
    description: 'The offering with its token, its price and the units that are still available.',
    tag: 'Offerings',
    method: 'GET',
    path: '/offerings/:offeringId',
    scopes: ['offering.read'],
    idempotency: 'none',
    params: OfferingPath,
    success: { status: 200, body: Offering },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx }) => {
    const offering = found(await findVisibleOffering(tx, { tenantId, ...params }), 'There is no such offering.')
    return viewOffering(offering)
  },
)
