import type { AnnouncedApproval } from '../../platform/api/declare/services.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import { mailApproval } from './mail-approval.job.ts'

/** Mails those who can confirm a proposal. The mail is sent only if the transaction commits. */
export async function announceApproval(tx: Transaction, approval: AnnouncedApproval): Promise<void> {
  await enqueueJob(tx, mailApproval, {
    tenant_id: approval.tenantId,
    approval_id: approval.approvalId,
    operation: approval.operation,
    duty: approval.confirmDuty,
    proposed_by: approval.proposedBy,
  })
}
