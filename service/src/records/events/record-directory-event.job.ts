import { Type } from 'typebox'
import { newRowId } from '../../platform/base/ids.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import { job, PermanentJobError } from '../../platform/jobs/job.ts'
import { inTenantTransaction, type TenantDatabases } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { type EventData, type NewEvent, recordEventOnce } from './event.sql.ts'
import { type AnyEventType, isForIntegrators, operatorEventTypes } from './event-types.ts'

/**
 * Records the event of a change to the directory. Events are in the tenant's cell, which shares no transaction with the
 * directory, so a job records the event after the change has committed, exactly once.
 */
export const recordDirectoryEvent = job({
  name: 'record-directory-event',
  payload: Type.Object({
    tenant_id: Type.String(),
    event_id: Type.String(),
    type: Type.String(),
    data: Type.Object({}, { additionalProperties: true }),
  }),
  run: async ({ tenant_id: tenantId, event_id: eventId, type, data }, context: TenantDatabases) => {
    if (!isEventType(type)) throw new PermanentJobError(`${type} is not an event type.`)
    await inTenantTransaction(context, { tenantId, access: 'write' }, (tx) =>
      recordEventOnce(tx, tenantId, { type, data: data as EventData }, eventId),
    )
  },
})

/** Enqueues the event in a transaction of the directory. It is recorded if that transaction commits. */
export async function enqueueDirectoryEvent(
  tx: Transaction,
  tenantId: string,
  { type, data }: NewEvent,
): Promise<void> {
  await enqueueJob(tx, recordDirectoryEvent, { tenant_id: tenantId, event_id: newRowId(), type, data })
}

function isEventType(type: string): type is AnyEventType {
  return isForIntegrators(type) || operatorEventTypes.some((one) => one === type)
}
