import { Type } from 'typebox'
import { Uuid } from '../../platform/api/declare/fields.ts'
import { keysetListOperation, pageOf } from '../../platform/api/declare/keyset-list.ts'
import { createdRange, SeveralOf } from '../../platform/api/declare/list-filters.ts'
import { Distribution } from '../distribution.schema.ts'
import { pageOfDistributions } from '../distribution.sql.ts'
import { viewDistribution } from '../distribution.view.ts'
import { distributionStatuses } from '../distribution-status.ts'

export const listDistributions = keysetListOperation(
  {
    id: 'listDistributions',
    summary: 'List distributions',
    description: 'Coupons, dividends and redemptions of all offerings, newest first.',
    tag: 'Distributions',
    path: '/distributions',
    duty: 'read',
    item: Distribution,
    query: {
      status: SeveralOf(distributionStatuses, 'Only distributions with this status.'),
      offering_id: Type.Optional(Uuid('Only distributions of this offering.', 'The offering.')),
      ...createdRange,
    },
    errors: [],
  },
  async ({ query, page }, { tenantId, tx }) => {
    const { count, rows } = await pageOfDistributions(tx, tenantId, query, page)
    return { count, ...pageOf(rows, page, viewDistribution) }
  },
)
