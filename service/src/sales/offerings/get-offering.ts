import { operation } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
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
    const offering = await findVisibleOffering(tx, { tenantId, ...params })
    if (!offering) throw new ApiError(requestErrors.not_found, 'There is no such offering.')
    return viewOffering(offering)
  },
)
