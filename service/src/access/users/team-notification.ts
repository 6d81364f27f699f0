import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { type MaintenanceEvent, mailMaintenance } from './mail-maintenance.job.ts'
import { selectDutyHolders } from './user.sql.ts'

/**
 * Reads who has the duty `team` now, and returns a function that mails them how administrators changed a user. Call it
 * before the change, so that a user to whom the change gives the duty gets no mail.
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
