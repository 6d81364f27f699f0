import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError, validationFailed } from '../../../platform/api/errors/errors.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { offeringErrors } from '../offering.errors.ts'
import { OfferingPath } from '../offering.schema.ts'
import { differenceOf } from './offering-audit.ts'
import { collectionAccountFailures, termFailures } from './offering-terms.ts'
import { OfferingChange, OperatorOffering } from './operator-offering.schema.ts'
import { findOffering, lockOffering, updateLockedDraft } from './operator-offering.sql.ts'
import { termsOf, viewOperatorOffering } from './operator-offering.view.ts'

export const updateOffering = operatorOperation(
  {
    id: 'updateOffering',
    summary: 'Change a draft',
    description:
      'Replaces each member in the body as a whole and keeps the others. Only a draft can be changed, because buyers ' +
      'order under the terms of an open offering. Its end and limits change with `POST /offerings/{offeringId}/terms`.',
    tag: 'Offerings',
    method: 'PATCH',
    path: '/offerings/:offeringId',
    duty: 'offerings',
    offering: 'params.offeringId',
    approval: 'never',
    idempotency: 'optional',
    params: OfferingPath,
    body: OfferingChange,
    bodyExamples: { terms: { price_per_token: '12.75', closes_at: '2026-12-31T23:00:00.000Z' } },
    success: { status: 200, body: OperatorOffering },
    errors: [requestErrors.not_found, offeringErrors.offering_not_draft],
  },
  async ({ params, body }, { tenantId, tx, audit }) => {
    const key = { tenantId, ...params }
    const offering = found(await lockOffering(tx, key), 'There is no such offering.')
    if (offering.status !== 'DRAFT')
      throw new ApiError(
        offeringErrors.offering_not_draft,
        `The offering is ${offering.status}: only a draft can be changed.`,
      )
    const before = termsOf(offering)
    const terms = { ...before, ...body }
    const failures = [...termFailures(terms), ...collectionAccountFailures(body.collection_account)]
    if (failures.length > 0) throw validationFailed(failures)
    await updateLockedDraft(tx, key, terms)
    // Reads again, because the database normalizes values such as decimal strings and timestamps.
    const changed = found(await findOffering(tx, key), 'There is no such offering.')
    const difference = differenceOf(before, termsOf(changed))
    const subject = { type: 'offering', id: params.offeringId }
    audit(difference ? { action: 'offering.changed', subject, ...difference } : 'nothing changed')
    return viewOperatorOffering(changed)
  },
)
