import { keysetListOperation, pageOf } from '../../platform/api/declare/keyset-list.ts'
import { SeveralOf } from '../../platform/api/declare/list-filters.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { entitlementStatuses } from '../../sales/entitlements/entitlement.schema.ts'
import { DistributionEntitlement, DistributionPath } from '../distribution.schema.ts'
import { viewDistributionEntitlement } from '../distribution.view.ts'
import { pageOfEntitlements } from '../distribution-entitlement.sql.ts'
import { requireDistribution } from '../require-distribution.ts'

export const listDistributionEntitlements = keysetListOperation(
  {
    id: 'listDistributionEntitlements',
    summary: 'List the entitlements of a distribution',
    description: 'One for each address that had units at the record time. None until the distribution is calculated.',
    tag: 'Distributions',
    path: '/distributions/:distributionId/entitlements',
    duty: 'read',
    params: DistributionPath,
    item: DistributionEntitlement,
    query: { status: SeveralOf(entitlementStatuses, 'Only entitlements with this status.') },
    errors: [requestErrors.not_found],
  },
  async ({ params, query, page }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const [distribution, { count, rows }] = await tx.batch(
      (tx) => requireDistribution(tx, key),
      (tx) => pageOfEntitlements(tx, key, query, page),
    )
    if (distribution.calculatedAt === null) return { count: 0, results: [], next: undefined }
    return { count, ...pageOf(rows, page, viewDistributionEntitlement) }
  },
)
