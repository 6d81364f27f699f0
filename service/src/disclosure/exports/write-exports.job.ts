import { Type } from 'typebox'
import { countStoredFiles } from '../../access/tenants/count-stored-files.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import { type JobContext, job } from '../../platform/jobs/job.ts'
import { inTenantTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import { DatabaseUnavailable } from '../../platform/postgres/sql-errors.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { Vault } from '../../platform/postgres/vault.ts'
import { csvLines } from '../csv.ts'
import { fileEncodings } from '../register-extracts/file-encodings.ts'
import { deleteExport } from './delete-export.job.ts'
import { addToExport, type ExportKey, type ExportRow, endLockedExport, lockRunningExport } from './export.sql.ts'
import { chunkContext, insertChunk } from './export-chunk.sql.ts'
import type { ExportedPart, PartRequest } from './export-source.ts'
import { exportSources } from './export-sources.ts'
import { hashOfFile } from './hash-of-file.ts'

/** A batch takes some ten milliseconds, and its chunk a few hundred kilobytes. */
const batchRows = 1_000
/** After this time the job goes to the end of the queue, so that the exports of many tenants advance in turn. */
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

/** Returns false if the tenant has no export to write. */
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
  running: ExportRow,
): Promise<void> {
  const { id: exportId, chunkCount } = running
  const key = { tenantId, exportId }
  const vault = vaults.of(tx, tenantId)
  const part = await nextPart(running, tenantId, { tx, vault })
  const { text, cursor, rows, isLast } = part
  const texts = chunksOf(text)
  let storedBytes = 0
  for (const [index, chunk] of texts.entries()) {
    const at = { position: chunkCount + index, isLast: isLast && index === texts.length - 1 }
    const content = await vault.seal(chunk, chunkContext(exportId, at))
    await insertChunk(tx, key, { ...at, content })
    storedBytes += content.length
  }
  const finished = await finishFile(running, part, { tenantId, tx, vault, chunkCount: chunkCount + texts.length })
  const added = {
    cursor,
    rows,
    chunks: texts.length,
    bytes: Buffer.byteLength(text, fileEncodings[running.format]),
    isLast,
  }
  await addToExport(tx, key, { ...added, ...finished, now: clock() })
  // Only a new export is rejected: one that has begun is deleted within a day.
  await countStoredFiles(tx, tenantId, storedBytes)
}

/** Splits a part that is written as a whole, such as a PDF, into pieces to seal. With `u`, no character is split. */
function chunksOf(text: string): readonly string[] {
  return text.match(/.{1,500000}/gsu) ?? ['']
}

async function nextPart(
  running: ExportRow,
  tenantId: string,
  context: { tx: Transaction; vault: Vault },
): Promise<ExportedPart> {
  const { kind, withPersonalData, cursor, chunkCount } = running
  const source = exportSources[kind]
  const request = requestOf(running, tenantId)
  if (source.parts) return source.parts.nextPart(request, context.tx)
  const rows = await source.nextRows(request, context)
  const header = chunkCount > 0 ? [] : [[...source.columns, ...(withPersonalData ? source.personalColumns : [])]]
  return {
    text: csvLines([...header, ...rows.map(({ cells }) => cells)]),
    cursor: rows.at(-1)?.key ?? cursor,
    rows: rows.length,
    units: 0n,
    isLast: rows.length < batchRows,
  }
}

function requestOf(running: ExportRow, tenantId: string): PartRequest {
  const { id: exportId, filter, format, withPersonalData, cursor: after, rowCount, createdAt } = running
  const request = { tenantId, exportId, filter, withPersonalData, after, limit: batchRows }
  return { ...request, format, rowCount: Number(rowCount), createdAt }
}

/** Returns the units so far and, once complete, the file's hash. The state of a hash cannot be stored between parts. */
async function finishFile(
  running: ExportRow,
  { rows, units, isLast }: ExportedPart,
  { tenantId, tx, vault, chunkCount }: { tenantId: string; tx: Transaction; vault: Vault; chunkCount: number },
): Promise<{ unitSum: bigint | null; sha256: Buffer | null }> {
  const { parts } = exportSources[running.kind]
  if (!parts) return { unitSum: null, sha256: null }
  const unitSum = BigInt(running.unitSum ?? 0) + units
  if (!isLast) return { unitSum, sha256: null }
  const sha256 = await hashOfFile(tx, vault, { tenantId, exportId: running.id }, { chunkCount, format: running.format })
  const rowCount = Number(running.rowCount) + rows
  await parts.finish({ ...requestOf(running, tenantId), rowCount, unitSum, sha256: sha256.toString('hex') }, tx)
  return { unitSum, sha256 }
}
