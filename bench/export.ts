// Measures the memory that an export needs: the growth of a process that writes the file and reads it back, part by
// part. It must not depend on the number of rows.
import type { ExportGrowth, ExportPlan } from './export-process.ts'
import { runChild } from './run-child.ts'

/** Exports orders of a tenant that has at least several thousand. */
export function measureExport(
  settings: Record<string, string>,
  exported: Omit<ExportPlan, 'settings'>,
): Promise<ExportGrowth> {
  return runChild<ExportGrowth>('./export-process.ts', { settings, ...exported })
}

export function exportLine({ rows, bytes, seconds, mebibytes, smallMebibytes }: ExportGrowth): string {
  const size = `${rows} rows, ${(bytes / 2 ** 20).toFixed(0)} MiB`
  const memory = `memory +${mebibytes.toFixed(0)} MiB, after +${smallMebibytes.toFixed(0)} MiB by half as many`
  return `export: ${size} in ${seconds.toFixed(0)} s, ${memory}`
}
