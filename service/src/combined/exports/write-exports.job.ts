import { Type } from 'typebox'
import { DatabaseUnavailable } from '../../platform/db/sql-errors.ts'
import { inTenantTransaction } from '../../platform/db/tenant-transaction.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import { type JobContext, job } from '../../platform/jobs/job.ts'
import { csvLines } from './csv.ts'
import { deleteExport } from './delete-export.job.ts'
import { addToExport, type ExportKey, type ExportRow, endLockedExport, lockRunningExport } from './export.sql.ts'
import { chunkContext, insertChunk } from './export-chunk.sql.ts'
import { exportSources } from './export-sources.ts'

/** A batch takes some ten milliseconds, and its chunk has a few hundred kilobytes. */
const batchRows = 1_000
/** Then the job goes to the end of the queue, so that the exports of many tenants advance in turn. */
const sliceMs = 2_000

const writeQueue = {
  name: 'write-exports',
  payload: Type.Object({ tenant_id: Type.String() }),
  keyOf: () => 'all',
} as const

type WriteContext = Pick<JobContext, 'databases' | 'placement' | 'vaults' | 'clock' | 'log'>

/**
 * Writes the exports of a tenant, a batch per transaction. The chunk and the cursor behind it commit together, so a
 * killed worker neither loses nor repeats rows: the next one continues where the last commit ended. Rows are as they
 * are when their batch is read.
 */
export const writeExports = job({
  ...writeQueue,
  run: async ({ tenant_id: tenantId }, context: WriteContext) => {
    const endsAt = performance.now() + sliceMs
    while (await writeBatch(context, tenantId)) {
      if (performance.now() < endsAt) continue
      return inTenantTransaction(context, { tenantId, access: 'write' }, (tx) =>
        enqueueJob(tx, writeQueue, { tenant_id: tenantId }),
      )
    }
  },
})

/** False if the tenant has no export to write. */
async function writeBatch(context: WriteContext, tenantId: string): Promise<boolean> {
  let exportId: string | undefined
  try {
    return await inTenantTransaction(context, { tenantId, access: 'write' }, async (tx) => {
      const running = await lockRunningExport(tx, tenantId)
      if (!running) return false
      exportId = running.id
      await writeChunk(context, tx, tenantId, running)
      return true
    })
  } catch (error) {
    if (!exportId || error instanceof DatabaseUnavailable) throw error
    // A row that cannot be read would fail again, and the tenant's other exports would wait for it.
    context.log.error({ err: error, tenant_id: tenantId, export_id: exportId }, 'an export failed')
    await fail(context, { tenantId, exportId })
    return true
  }
}

function fail(context: WriteContext, key: ExportKey): Promise<void> {
  const { tenantId, exportId } = key
  return inTenantTransaction(context, { tenantId, access: 'write' }, async (tx) => {
    await endLockedExport(tx, key, { state: 'failed', now: context.clock() })
    await enqueueJob(tx, deleteExport, { tenant_id: tenantId, export_id: exportId })
  })
}

async function writeChunk(
  { vaults, clock }: WriteContext,
  tx: Transaction,
  tenantId: string,
  { id: exportId, kind, filter, withPersonalData, cursor, chunkCount: position }: ExportRow,
): Promise<void> {
  const source = exportSources[kind]
  const vault = vaults.of(tx, tenantId)
  const request = { tenantId, exportId, filter, withPersonalData, after: cursor, limit: batchRows }
  const rows = await source.nextRows(request, { tx, vault })
  const header = position > 0 ? [] : [[...source.columns, ...(withPersonalData ? source.personalColumns : [])]]
  const text = csvLines([...header, ...rows.map(({ cells }) => cells)])
  const isLast = rows.length < batchRows
  const content = await vault.seal(text, chunkContext(exportId, { position, isLast }))
  const added = { cursor: rows.at(-1)?.key ?? cursor, rows: rows.length, bytes: Buffer.byteLength(text), isLast }
  await Promise.all([
    insertChunk(tx, { tenantId, exportId }, { position, isLast, content }),
    addToExport(tx, { tenantId, exportId }, { ...added, now: clock() }),
  ])
}
