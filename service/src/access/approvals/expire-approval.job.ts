import { Type } from 'typebox'
import { inDirectoryTransaction, inTenantTransaction } from '../../platform/db/tenant-transaction.ts'
import { type JobContext, job } from '../../platform/jobs/job.ts'
import { recordEventOnce } from '../../records/events/event.sql.ts'
import { findApproval } from './approval.sql.ts'
import { isApprovalExpired } from './approval.view.ts'

/** Informs operators that a proposal was not decided in time. It runs when the proposal has expired. */
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
    const read = { tenantId, access: 'read' } as const
    const approval = await (database === 'cell'
      ? inTenantTransaction(context, read, (tx) => findApproval(tx, key))
      : inDirectoryTransaction(context.databases, read, (tx) => findApproval(tx, key)))
    if (!approval || !isApprovalExpired(approval, context.clock())) return
    const data = { approval_id: approvalId, database, operation: approval.operation, offering_id: approval.offeringId }
    await inTenantTransaction(context, { tenantId, access: 'write' }, (tx) =>
      recordEventOnce(tx, tenantId, { type: 'approval.expired', data }, eventId),
    )
  },
})
