import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { createdRange, SeveralOf } from '../../../platform/api/declare/list-filters.ts'
import { OperatorOffering, offeringStatuses } from './operator-offering.schema.ts'
import { pageOfOfferings } from './operator-offering.sql.ts'
import { viewOperatorOffering } from './operator-offering.view.ts'

export const listOfferingsForOperator = keysetListOperation(
  {
    id: 'listOfferings',
    summary: 'List offerings',
    description: 'All offerings of your tenant, including drafts, ordered by creation time.',
    tag: 'Offerings',
    path: '/offerings',
    duty: 'read',
    item: OperatorOffering,
    query: { status: SeveralOf(offeringStatuses, 'Only offerings with this status.'), ...createdRange },
    errors: [],
  },
  async ({ query, page }, { tenantId, tx }) => {
    const { count, rows } = await pageOfOfferings(tx, tenantId, query, page)
    return { count, ...pageOf(rows, page, viewOperatorOffering) }
  },
)
