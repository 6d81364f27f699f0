import { logFailure } from '../../platform/base/log-failure.ts'
import { loop } from '../../platform/jobs/loop.ts'
import { inTenantTransaction, type TenantDatabases } from '../../platform/postgres/cells/tenant-transaction.ts'
import { AuditTrail } from '../../records/audit/audit-trail.ts'
import { lockAccount, updateLockedAccount } from './account.sql.ts'
import {
  areApprovalsEnded,
  type EndedApproval,
  findAccountApproval,
  selectEndedApprovals,
  upsertAccountApproval,
} from './account-approval.sql.ts'
import { recordApprovalChange } from './record-approval-change.ts'

// The next runs finish a larger backlog.
const batchMax = 500

/** Sets accounts whose approval has expired to PENDING, so that their orders wait for a new check. */
export const endAccountApprovals = loop({
  name: 'end-account-approvals',
  everyMs: 1_000,
  isDue: () => areApprovalsEnded,
  run: async (context) => {
    const now = context.clock()
    for (const ended of await selectEndedApprovals(context.pool, now, batchMax))
      await logFailure(context.log.child({ tenant_id: ended.tenantId }), 'an approval could not be ended', () =>
        endApproval(context, ended, now),
      )
  },
})

/** Checks the validity again under the lock of the account: a renewal may have been faster. */
async function endApproval(
  databases: TenantDatabases,
  { tenantId, accountId, kind }: EndedApproval,
  now: Date,
): Promise<void> {
  const key = { tenantId, accountId }
  await inTenantTransaction(databases, { tenantId, access: 'write' }, async (tx) => {
    const account = await lockAccount(tx, key)
    const approval = await findAccountApproval(tx, key, kind)
    if (!account || !approval?.validUntil || approval.validUntil > now) return
    // Expiry is not a decision: anything that the provider decided since the approval still counts as newer.
    const decision = { ...approval, validUntil: null }
    const previousStatus = account[`${kind}Status`]
    if (previousStatus !== 'APPROVED') return upsertAccountApproval(tx, key, kind, decision)
    const trail = new AuditTrail({ type: 'system', id: null, requestId: null })
    await updateLockedAccount(tx, tenantId, { ...account, [`${kind}Status`]: 'PENDING' })
    await recordApprovalChange({ tx, audit: trail.add }, key, {
      kind,
      status: 'PENDING',
      previousStatus,
      reason: `The approval was valid until ${approval.validUntil.toISOString()}.`,
      decision,
    })
    await trail.write(tx)
  })
}
