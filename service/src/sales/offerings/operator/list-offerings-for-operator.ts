import { Type } from 'typebox'
import { operatorListOperation } from '../../../platform/api/declare/page.ts'
import { OperatorOffering, offeringStatuses } from './operator-offering.schema.ts'
import { countOfferings, selectOfferings } from './operator-offering.sql.ts'
import { viewOperatorOffering } from './operator-offering.view.ts'

export const listOfferingsForOperator = operatorListOperation(
  {
    id: 'listOfferings',
    summary: 'List offerings',
    description: 'All offerings of your tenant, including drafts, ordered by creation time.',
    tag: 'Offerings',
    path: '/offerings',
    duty: 'read',
    item: OperatorOffering,
    query: { status: Type.Optional(Type.Enum(offeringStatuses, { description: 'Only offerings with this status.' })) },
    errors: [],
  },
  async ({ query: { status }, page }, { tenantId, tx }) => {
    const [count, rows] = await Promise.all([
      countOfferings(tx, tenantId, status),
      selectOfferings(tx, tenantId, status, page),
    ])
    return { count, results: rows.map(viewOperatorOffering) }
  },
)
