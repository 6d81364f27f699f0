import type { DecidedResource } from '../../../platform/api/declare/decision.ts'
import { payoutStatuses } from '../payout.schema.ts'
import { lockPayout } from '../payout.sql.ts'

export const payoutDecision: DecidedResource = {
  subject: 'payout',
  statuses: payoutStatuses,
  statusOf: async ({ params: { payoutId = '' } }, { tenantId, tx }) =>
    (await lockPayout(tx, { tenantId, payoutId }))?.status ?? null,
}
