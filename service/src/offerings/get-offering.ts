import { ApiError } from '../http/errors.ts'
import { operation } from '../http/operation.ts'
import { Offering, OfferingPath } from './offering.schema.ts'
import { findVisibleOffering } from './offering.sql.ts'
import { viewOffering } from './offering.view.ts'

export const getOffering = operation(
  {
    id: 'getOffering',
    summary: 'Read an offering',
    description: 'One offering: its token, its price, and what can still be ordered.',
    tag: 'Offerings',
    method: 'GET',
    path: '/offerings/:offeringId',
    scopes: ['offering.read'],
    idempotency: 'none',
    params: OfferingPath,
    success: { status: 200, body: Offering },
    errors: ['not_found'],
  },
  async ({ params }, { tenantId, tx }) => {
    const offering = await findVisibleOffering(tx, { tenantId, ...params })
    if (!offering) throw new ApiError('not_found', 'There is no such offering.')
    return viewOffering(offering)
  },
)
