import type { ApprovalKey } from '../../platform/api/pipeline/approval.sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { type EventData, recordEvent } from '../../records/events/event.sql.ts'
import { enqueueDirectoryEvent } from '../../records/events/record-directory-event.job.ts'

/**
 * Informs operators about an approval. Events are in the tenant's cell, so for one in the directory a job records the
 * event there.
 */
export function recordApprovalEvent(
  tx: Transaction,
  { tenantId, database, approvalId }: ApprovalKey,
  change: 'proposed' | 'confirmed' | 'rejected' | 'withdrawn',
  more: EventData,
): Promise<void> {
  const event = { type: `approval.${change}` as const, data: { approval_id: approvalId, database, ...more } }
  return database === 'cell' ? recordEvent(tx, tenantId, event) : enqueueDirectoryEvent(tx, tenantId, event)
}
