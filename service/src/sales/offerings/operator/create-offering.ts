import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { draftOffering } from './draft-offering.ts'
import { describeTerms } from './offering-audit.ts'
import { NewOffering, OperatorOffering } from './operator-offering.schema.ts'
import { findOffering } from './operator-offering.sql.ts'
import { termsOf, viewOperatorOffering } from './operator-offering.view.ts'

export const createOffering = operatorOperation(
  {
    id: 'createOffering',
    summary: 'Draft an offering',
    description:
      'Only operators see a draft. It needs no `collection_account` until it is opened. Decimal strings are returned ' +
      'without trailing zeros.',
    tag: 'Offerings',
    method: 'POST',
    path: '/offerings',
    duty: 'offerings',
    offering: 'none',
    approval: 'never',
    idempotency: 'optional',
    body: NewOffering,
    success: { status: 201, body: OperatorOffering, location: ({ id }: { id: string }) => `/offerings/${id}` },
    errors: [],
  },
  async ({ body }, { tenantId, tx, audit }) => {
    const offeringId = await draftOffering(tx, tenantId, body)
    const offering = await findOffering(tx, { tenantId, offeringId })
    if (!offering) throw new Error('the inserted offering was not found')
    const subject = { type: 'offering', id: offeringId }
    audit({ action: 'offering.drafted', subject, after: describeTerms(termsOf(offering)) })
    return viewOperatorOffering(offering)
  },
)
