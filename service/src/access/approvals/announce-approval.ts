import type { AnnouncedApproval } from '../../platform/api/declare/services.ts'
import { newRowId } from '../../platform/base/ids.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { findTenantSettings } from '../settings/tenant-settings.sql.ts'
import { hasOtherProposal } from './approval.sql.ts'
import { expireApproval } from './expire-approval.job.ts'
import { mailApproval } from './mail-approval.job.ts'
import { mailPendingApprovals, mailPeriodMs } from './mail-pending-approvals.job.ts'
import { recordApprovalEvent } from './record-approval-event.ts'

/** Informs those who can confirm a proposal, if it commits: by event and, unless the tenant wants none, by mail. */
export async function announceApproval(tx: Transaction, approval: AnnouncedApproval): Promise<void> {
  const { tenantId, approvalId, database, operation, offeringId, expiresAt } = approval
  const key = { tenantId, approvalId, database }
  await tx.batch(
    (tx) => enqueueMail(tx, approval),
    (tx) => recordApprovalEvent(tx, key, 'proposed', { operation, offering_id: offeringId }),
    (tx) =>
      enqueueJob(
        tx,
        expireApproval,
        { tenant_id: tenantId, approval_id: approvalId, database, event_id: newRowId() },
        new Date(expiresAt.getTime() + decisionMsMax),
      ),
  )
}

/**
 * Mails the first proposal at once. Later ones share a mail every ten minutes, so that many of them neither flood a
 * mailbox nor bury one that matters. Periods are fixed, so that no proposal postpones the mail of another one. Each
 * mail is sent one whole period after its period ends. After a pause, the next proposal is the first again.
 */
async function enqueueMail(tx: Transaction, approval: AnnouncedApproval): Promise<void> {
  const { tenantId, approvalId, database, proposedAt, confirmDuty: duty } = approval
  // The directory cannot see the settings, which are in the cell.
  if (database === 'cell' && !(await findTenantSettings(tx, tenantId)).mails_proposals) return
  const key = { tenantId, database, approvalId }
  const pauseSince = new Date(proposedAt.getTime() - 3 * mailPeriodMs)
  if (await hasOtherProposal(tx, key, { duty, since: pauseSince })) {
    const period = Math.floor(proposedAt.getTime() / mailPeriodMs)
    await enqueueJob(
      tx,
      mailPendingApprovals,
      { tenant_id: tenantId, database, period },
      new Date((period + 2) * mailPeriodMs),
    )
    return
  }
  await enqueueJob(tx, mailApproval, {
    tenant_id: tenantId,
    approval_id: approvalId,
    database,
    operation: approval.operation,
    duty,
    offering_id: approval.offeringId,
    proposed_by: approval.proposedBy,
  })
}

// A decision that began before the approval expired has committed or failed by then.
const decisionMsMax = 60_000
