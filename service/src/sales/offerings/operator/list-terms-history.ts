import { Type } from 'typebox'
import { actorTypes } from '../../../platform/api/declare/audit.ts'
import { Named, orNull, Timestamp, Uuid } from '../../../platform/api/declare/fields.ts'
import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { viewOf } from '../../../platform/api/declare/view-of.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { OfferingPath } from '../offering.schema.ts'
import { pageOfTermsChanges, termsActions } from './offering-history.sql.ts'
import { findOffering } from './operator-offering.sql.ts'

const Terms = (description: string, example: object) =>
  orNull(Type.Object({}, { additionalProperties: true, description, examples: [example] }))

const TermsChange = Named('TermsChange', {
  at: Timestamp('When the change was made.'),
  action: Type.Enum(termsActions),
  actor_type: Type.Enum(actorTypes),
  actor_id: orNull(Uuid('Who made the change, or proposed it.', 'The admin.')),
  confirmed_by: orNull(Uuid('The second person.', 'The second person.')),
  before: Terms('The changed terms before the change; null for the first draft.', { total_units: '100000000000000' }),
  after: Terms('The same terms after the change, and the reason if one was given. Bank data is only named.', {
    total_units: '200000000000000',
    reason: 'Second tranche.',
  }),
})

const viewTermsChange = viewOf(TermsChange)

export const listTermsHistory = keysetListOperation(
  {
    id: 'listTermsHistory',
    summary: 'List the changes of the terms of an offering',
    description: 'Who changed which terms of the offering and when, from the first draft on, latest first.',
    tag: 'Offerings',
    path: '/offerings/:offeringId/terms-history',
    duty: 'read',
    params: OfferingPath,
    item: TermsChange,
    sorts: ['sequence'],
    errors: [requestErrors.not_found],
  },
  async ({ params, page }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const [offering, { count, rows }] = await tx.batch(
      (tx) => findOffering(tx, key),
      (tx) => pageOfTermsChanges(tx, key, page),
    )
    if (!offering) throw new ApiError(requestErrors.not_found, 'There is no such offering.')
    return { count, ...pageOf(rows, page, viewTermsChange) }
  },
)
