import { Type } from 'typebox'
import { operatorListOperation } from '../../../platform/api/declare/page.ts'
import { OperatorOffering, offeringStatuses } from './operator-offering.schema.ts'
import { countOfferings, selectOfferings as listRows } from './operator-offering.sql.ts'
import { viewOperatorOffering } from './operator-offering.view.ts'

export const listOfferingsForOperator = operatorListOperation(
  {
    id: 'listOfferings',
    summary: 'List offerings',
    description: 'All offerings of your tenant, drafts too, by when they were drafted.',
    tag: 'Offerings',
    path: '/offerings',
    role: 'viewer',
    item: OperatorOffering,
    query: { status: Type.Optional(Type.Enum(offeringStatuses, { description: 'Only those with this status.' })) },
    errors: [],
  },
  async ({ query: { status }, page }, { tenantId, tx }) => {
    const [count, rows] = await Promise.all([
      countOfferings(tx, tenantId, status),
      listRows(tx, tenantId, status, page),
    ])
    return { count, results: rows.map(viewOperatorOffering) }
  },
)
