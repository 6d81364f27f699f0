// Measures the memory that an export needs: the growth of a process that writes the file and reads it back, part by
// part. It must not depend on the number of rows.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ExportGrowth, ExportPlan } from './export-process.ts'

/** Exports orders of a tenant that has at least several thousand. */
export async function measureExport(
  settings: Record<string, string>,
  exported: Omit<ExportPlan, 'settings'>,
): Promise<ExportGrowth> {
  const child = fork(fileURLToPath(new URL('./export-process.ts', import.meta.url)))
  const plan: ExportPlan = { settings, ...exported }
  child.send(plan)
  const replied = Promise.withResolvers<ExportGrowth | { problem: string }>()
  child.once('message', (message) => replied.resolve(message as ExportGrowth | { problem: string }))
  child.once('exit', () => replied.resolve({ problem: 'the export process ended early' }))
  const growth = await replied.promise
  if (child.connected) {
    child.disconnect()
    await once(child, 'exit')
  }
  if ('problem' in growth) throw new Error(growth.problem)
  return growth
}

export function exportLine({ rows, bytes, seconds, mebibytes, smallMebibytes }: ExportGrowth): string {
  const size = `${rows} rows, ${(bytes / 2 ** 20).toFixed(0)} MiB`
  const memory = `memory +${mebibytes.toFixed(0)} MiB, after +${smallMebibytes.toFixed(0)} MiB by half as many`
  return `export: ${size} in ${seconds.toFixed(0)} s, ${memory}`
}
