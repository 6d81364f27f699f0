import { Type } from 'typebox'
import { type JobContext, job } from '../../platform/jobs/job.ts'
import { inDirectoryTransaction, inTenantTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { recordEventOnce } from '../../records/events/event.sql.ts'
import { deleteExpiredSecrets, findApproval } from './approval.sql.ts'
import { isApprovalExpired } from './approval.view.ts'

/** Runs when a proposal has expired. If it was not decided in time, deletes its secrets and informs operators. */
export const expireApproval = job({
  name: 'expire-approval',
  payload: Type.Object({
    tenant_id: Type.String(),
    approval_id: Type.String(),
    database: Type.Enum(['cell', 'directory'] as const),
    event_id: Type.String(),
  }),
  run: async (payload, context: Pick<JobContext, 'databases' | 'placement' | 'clock'>) => {
    const { tenant_id: tenantId, approval_id: approvalId, database, event_id: eventId } = payload
    const key = { tenantId, database, approvalId }
    const write = { tenantId, access: 'write' } as const
    const findExpired = async (tx: Transaction) => {
      const approval = await findApproval(tx, key)
      if (!approval || !isApprovalExpired(approval, context.clock())) return undefined
      await deleteExpiredSecrets(tx, key)
      return approval
    }
    const approval = await (database === 'cell'
      ? inTenantTransaction(context, write, findExpired)
      : inDirectoryTransaction(context.databases, write, findExpired))
    if (!approval) return
    const data = { approval_id: approvalId, database, operation: approval.operation, offering_id: approval.offeringId }
    await inTenantTransaction(context, write, (tx) =>
      recordEventOnce(tx, tenantId, { type: 'approval.expired', data }, eventId),
    )
  },
})
