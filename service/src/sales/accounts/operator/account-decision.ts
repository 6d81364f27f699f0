import type { DecidedResource } from '../../../platform/api/declare/decision.ts'
import { approvalStatuses } from '../account.schema.ts'
import { lockAccount } from '../account.sql.ts'

/** Status that the body decides: `kyc` or `kyb`. */
export const accountDecision: DecidedResource = {
  subject: 'account',
  statuses: approvalStatuses,
  statusOf: async ({ params: { accountId = '' }, body }, { tenantId, tx }) => {
    const account = await lockAccount(tx, { tenantId, accountId })
    const kind = (body as { kyc?: string }).kyc === undefined ? 'kybStatus' : 'kycStatus'
    return account?.[kind] ?? null
  },
}
