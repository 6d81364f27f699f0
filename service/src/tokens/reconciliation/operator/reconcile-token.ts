import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { enqueueJob } from '../../../platform/jobs/enqueue.sql.ts'
import { OfferingPath } from '../../../sales/offerings/offering.schema.ts'
import { tokenActionErrors } from '../../token-actions/token-action.errors.ts'
import { reconcileOffering } from '../reconcile-offering.job.ts'
import { LastReconciliation } from '../reconciliation.schema.ts'
import { findReconciliation, requestReconciliation } from '../reconciliation.sql.ts'
import { viewReconciliation } from '../reconciliation.view.ts'

export const reconcileToken = operatorOperation(
  {
    id: 'reconcileToken',
    summary: 'Compare a token with its chain now',
    description:
      'A worker makes the comparison in the background. Read the result with ' +
      '`GET /offerings/{offeringId}/reconciliation`. A difference stops minting until an operator accepts it.',
    tag: 'Settlement',
    method: 'POST',
    path: '/offerings/:offeringId/reconcile',
    duty: 'settlement',
    offering: 'params.offeringId',
    approval: 'never',
    idempotency: 'optional',
    params: OfferingPath,
    success: { status: 200, body: LastReconciliation },
    errors: [requestErrors.not_found, tokenActionErrors.token_not_deployed],
  },
  async ({ params: { offeringId } }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, offeringId }
    const found = await findReconciliation(tx, key)
    if (!found) throw new ApiError(requestErrors.not_found, 'The offering does not exist.')
    if (!found.isDeployed)
      throw new ApiError(tokenActionErrors.token_not_deployed, 'The offering has no token on its chain yet.')
    await requestReconciliation(tx, key, now)
    await enqueueJob(tx, reconcileOffering, { tenant_id: tenantId, offering_id: offeringId })
    audit({ action: 'offering.reconciliation_requested', subject: { type: 'offering', id: offeringId } })
    return viewReconciliation(offeringId, { ...found, requestedAt: now, problem: null })
  },
)
