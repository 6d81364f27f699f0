import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { type EventData, recordEvent } from '../../records/events/event.sql.ts'
import type { AlarmType } from './alarm.ts'
import { mailAlarm } from './mail-alarm.job.ts'

/** Informs operators of a problem that only a person can fix, by event and by mail, if the transaction commits. */
export async function raiseAlarm(
  tx: Transaction,
  tenantId: string,
  { type, data, offeringId }: { type: AlarmType; data: EventData; offeringId: string | null },
): Promise<void> {
  await tx.batch(
    (tx) => recordEvent(tx, tenantId, { type, data }),
    (tx) =>
      enqueueJob(tx, mailAlarm, {
        tenant_id: tenantId,
        type,
        offering_id: offeringId,
        raised_at: new Date().toISOString(),
      }),
  )
}
