// The process in which the memory of an export is measured. It does nothing else that would take memory.
import { findExport } from '../service/src/disclosure/exports/export.sql.ts'
import { chunkContext, findChunk } from '../service/src/disclosure/exports/export-chunk.sql.ts'
import type { ExportFilter } from '../service/src/disclosure/exports/export-source.ts'
import { inTenantTransaction } from '../service/src/platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../service/src/platform/postgres/transaction.ts'
import { ExportRows } from '../service/test/harness/data/export-rows.ts'
import { TestInstallation } from '../service/test/harness/installation/test-installation.ts'
import { replyWith } from './run-child.ts'

/** The export, and the installation to export from. */
export interface ExportPlan {
  readonly settings: Record<string, string>
  readonly tenantId: string
  /**
   * Selects half of the rows. Before V8 collects all garbage, the heap grows to about four times its live size, which a
   * tenth of the rows does not reach. Any growth after that depends on the number of rows.
   */
  readonly small: ExportFilter
  readonly large: ExportFilter
}

export interface ExportGrowth {
  readonly rows: number
  readonly bytes: number
  readonly seconds: number
  /** Growth of the process during the small export; `mebibytes` is the most that it grew afterwards. */
  readonly smallMebibytes: number
  readonly mebibytes: number
}

replyWith(measure)

async function measure({ settings, tenantId, small, large }: ExportPlan): Promise<ExportGrowth> {
  const installation = new TestInstallation(settings)
  let peak = process.memoryUsage.rss()
  const sampling = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 20)
  try {
    const rows = new ExportRows(installation, tenantId)
    const startedWith = peak
    await exportAll(rows, tenantId, small)
    const before = peak
    const startedAt = performance.now()
    const { rowCount, bytes } = await exportAll(rows, tenantId, large)
    return {
      rows: rowCount,
      bytes,
      seconds: (performance.now() - startedAt) / 1000,
      smallMebibytes: (before - startedWith) / 2 ** 20,
      mebibytes: (peak - before) / 2 ** 20,
    }
  } finally {
    clearInterval(sampling)
    await installation.end()
  }
}

/** Writes an export and reads it back. */
async function exportAll(rows: ExportRows, tenantId: string, filter: ExportFilter) {
  const exportId = await rows.done({ filter })
  return readBack(rows, tenantId, exportId)
}

/** Opens every part, like a download, and counts. */
async function readBack(rows: ExportRows, tenantId: string, exportId: string) {
  const context = rows.context()
  const inTenant = <Result>(work: (tx: Transaction) => Promise<Result>) =>
    inTenantTransaction(context, { tenantId, access: 'read' }, work)
  const written = await inTenant((tx) => findExport(tx, { tenantId, exportId }))
  const { chunkCount = 0, state } = written ?? {}
  let [bytes, lines] = [0, 0]
  for (let position = 0; position < chunkCount; position += 1) {
    const isLast = state === 'done' && position === chunkCount - 1
    const part = await inTenant(async (tx) => {
      const content = await findChunk(tx, { tenantId, exportId }, position)
      if (!content) throw new Error('a chunk is missing')
      return context.vaults.of(tx, tenantId).open(content, chunkContext(exportId, { position, isLast }))
    })
    bytes += Buffer.byteLength(part)
    for (let at = part.indexOf('\r\n'); at >= 0; at = part.indexOf('\r\n', at + 2)) lines += 1
  }
  return { bytes, rowCount: lines - 1 }
}
