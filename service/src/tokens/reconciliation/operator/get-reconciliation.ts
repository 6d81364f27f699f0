import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { OfferingPath } from '../../../sales/offerings/offering.schema.ts'
import { LastReconciliation } from '../reconciliation.schema.ts'
import { findReconciliation } from '../reconciliation.sql.ts'
import { viewReconciliation } from '../reconciliation.view.ts'

export const getReconciliation = operatorOperation(
  {
    id: 'getReconciliation',
    summary: 'Read the last comparison of a token with its chain',
    description: 'Workers compare every token once a minute: supply, orders and the units of every holder.',
    tag: 'Settlement',
    method: 'GET',
    path: '/offerings/:offeringId/reconciliation',
    duty: 'read',
    idempotency: 'none',
    params: OfferingPath,
    success: { status: 200, body: LastReconciliation },
    errors: [requestErrors.not_found],
  },
  async ({ params: { offeringId } }, { tenantId, tx }) => {
    const found = await findReconciliation(tx, { tenantId, offeringId })
    if (!found) throw new ApiError(requestErrors.not_found, 'The offering does not exist.')
    return viewReconciliation(offeringId, found)
  },
)
