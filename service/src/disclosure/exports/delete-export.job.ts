import { Type } from 'typebox'
import { countStoredFiles } from '../../access/tenants/count-stored-files.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import { type JobContext, job } from '../../platform/jobs/job.ts'
import { inTenantTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import { endLockedExport, lockExport } from './export.sql.ts'
import { deleteChunks } from './export-chunk.sql.ts'

/** A hundred chunks take some tens of megabytes. */
const chunksMax = 100
const retryMs = 60_000

const deleteQueue = {
  name: 'delete-export',
  payload: Type.Object({ tenant_id: Type.String(), export_id: Type.String() }),
} as const

/** Deletes the file of an export that expired, failed or was cancelled. The export itself stays as a record. */
export const deleteExport = job({
  ...deleteQueue,
  run: async (payload, context: Pick<JobContext, 'databases' | 'placement' | 'clock'>) => {
    const { tenant_id: tenantId, export_id: exportId } = payload
    const key = { tenantId, exportId }
    const isOver = await inTenantTransaction(context, { tenantId, access: 'write' }, async (tx) => {
      const found = await lockExport(tx, key)
      if (!found) return false
      if (found.state !== 'running' && found.state !== 'done') return true
      const now = context.clock()
      if (found.expiresAt <= now) return (await endLockedExport(tx, key, { state: 'expired', now })) !== undefined
      // The clock of this process is behind the clock of the database, which started the job.
      await enqueueJob(tx, deleteQueue, payload, new Date(found.expiresAt.getTime() + retryMs))
      return false
    })
    if (!isOver) return
    let deleted: number
    do
      deleted = await inTenantTransaction(context, { tenantId, access: 'write' }, async (tx) => {
        const sizes = await deleteChunks(tx, key, chunksMax)
        const bytes = sizes.reduce((sum, size) => sum + size, 0)
        if (bytes > 0) await countStoredFiles(tx, tenantId, -bytes)
        return sizes.length
      })
    while (deleted === chunksMax)
  },
})
