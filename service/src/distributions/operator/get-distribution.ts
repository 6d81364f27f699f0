import { operatorOperation } from '../../platform/api/declare/operation.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { DistributionPath, DistributionPreview } from '../distribution.schema.ts'
import { previewDistribution } from '../preview-distribution.ts'
import { requireDistribution } from '../require-distribution.ts'

export const getDistribution = operatorOperation(
  {
    id: 'getDistribution',
    summary: 'Get a distribution with its preview',
    description:
      'What a second person approves: the total, what remains of it, the ten largest entitlements, what has changed ' +
      'since the previous distribution of the offering, and later what was paid and returned.',
    tag: 'Distributions',
    method: 'GET',
    path: '/distributions/:distributionId',
    duty: 'read',
    idempotency: 'none',
    cost: 'heavy',
    params: DistributionPath,
    success: { status: 200, body: DistributionPreview },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    return previewDistribution(tx, key, await requireDistribution(tx, key))
  },
)
