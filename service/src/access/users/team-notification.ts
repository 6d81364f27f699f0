import type { Transaction } from '../../platform/db/transaction.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import { type MaintenanceEvent, mailMaintenance } from './mail-maintenance.job.ts'
import { selectDutyHolders } from './user.sql.ts'

/**
 * Reads who has the duty `team` now, and returns a function that mails them what the installation did to a user. Read
 * first, so that a user who gets the duty by the change itself is not among them.
 */
export async function teamNotification(
  tx: Transaction,
  tenantId: string,
): Promise<(event: MaintenanceEvent, about: string) => Promise<void>> {
  const team = await selectDutyHolders(tx, { tenantId, duty: 'team' })
  return async (event, about) => {
    for (const { id } of team) await enqueueJob(tx, mailMaintenance, { tenant_id: tenantId, user_id: id, event, about })
  }
}
