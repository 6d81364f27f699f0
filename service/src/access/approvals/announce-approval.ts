import type { AnnouncedApproval } from '../../platform/api/declare/services.ts'
import { newRowId } from '../../platform/base/ids.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import { findTenantSettings } from '../settings/tenant-settings.sql.ts'
import { expireApproval } from './expire-approval.job.ts'
import { mailApproval } from './mail-approval.job.ts'
import { recordApprovalEvent } from './record-approval-event.ts'

/** Informs those who can confirm a proposal, by an event and, unless the tenant wants none, by mail, if it commits. */
export async function announceApproval(tx: Transaction, approval: AnnouncedApproval): Promise<void> {
  const { tenantId, approvalId, database, operation, offeringId, expiresAt } = approval
  const key = { tenantId, approvalId, database }
  // The directory cannot see the settings, which are in the cell.
  const isMailed = database === 'directory' || (await findTenantSettings(tx, tenantId)).mails_proposals
  await Promise.all([
    isMailed &&
      enqueueJob(tx, mailApproval, {
        tenant_id: tenantId,
        approval_id: approvalId,
        database,
        operation,
        duty: approval.confirmDuty,
        offering_id: offeringId,
        proposed_by: approval.proposedBy,
      }),
    recordApprovalEvent(tx, key, 'proposed', { operation, offering_id: offeringId }),
    enqueueJob(
      tx,
      expireApproval,
      { tenant_id: tenantId, approval_id: approvalId, database, event_id: newRowId() },
      new Date(expiresAt.getTime() + decisionMsMax),
    ),
  ])
}

// A decision that began before the approval expired has committed or failed by then.
const decisionMsMax = 60_000
