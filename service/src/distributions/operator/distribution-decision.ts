import type { DecidedResource } from '../../platform/api/declare/decision.ts'
import { lockDistribution } from '../distribution.sql.ts'
import { distributionStatuses } from '../distribution-status.ts'

export const distributionDecision: DecidedResource = {
  subject: 'distribution',
  statuses: distributionStatuses,
  statusOf: async ({ params: { distributionId = '' } }, { tenantId, tx }) =>
    (await lockDistribution(tx, { tenantId, distributionId }))?.status ?? null,
}
