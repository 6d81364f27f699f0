import { Type } from 'typebox'
import { newRowId } from '../../platform/base/ids.ts'
import { inTenantTransaction } from '../../platform/db/tenant-transaction.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import { job, PermanentJobError } from '../../platform/jobs/job.ts'
import { type EventData, type NewEvent, recordEventOnce } from './event.sql.ts'
import { type EventType, eventTypes } from './event-types.ts'

/** Events are in the tenant's cell and this change is in the directory: the event follows it, once, by this job. */
export const recordDirectoryEvent = job({
  name: 'record-directory-event',
  payload: Type.Object({
    tenant_id: Type.String(),
    event_id: Type.String(),
    type: Type.String(),
    data: Type.Object({}, { additionalProperties: true }),
  }),
  run: async ({ tenant_id: tenantId, event_id: eventId, type, data }, places) => {
    if (!isEventType(type)) throw new PermanentJobError(`There is no event ${type}.`)
    await inTenantTransaction(places, { tenantId, access: 'write' }, (tx) =>
      recordEventOnce(tx, tenantId, { type, data: data as EventData }, eventId),
    )
  },
})

/** Follows if, and only if, this transaction of the directory commits. */
export async function recordEventLater(tx: Transaction, tenantId: string, { type, data }: NewEvent): Promise<void> {
  await enqueueJob(tx, recordDirectoryEvent, { tenant_id: tenantId, event_id: newRowId(), type, data })
}

function isEventType(type: string): type is EventType {
  return Object.hasOwn(eventTypes, type)
}
