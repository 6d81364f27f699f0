// Measures the memory that an export needs: the growth of a process that writes the file and reads it back, part by
// part. It must not depend on the number of rows.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createAccount } from '../service/src/sales/accounts/create-account.ts'
import { createOrder } from '../service/src/sales/orders/create-order.ts'
import { DirectOperations } from '../service/test/harness/callers/operations.ts'
import { individual } from '../service/test/harness/data/bodies.ts'
import { ExportRows } from '../service/test/harness/data/export-rows.ts'
import { Fixtures } from '../service/test/harness/data/fixtures.ts'
import { TestInstallation } from '../service/test/harness/installation/test-installation.ts'
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

if (import.meta.main) {
  const { values: flags } = parseArgs({ options: { rows: { type: 'string', default: '100000' } } })
  const installation = await TestInstallation.create()
  try {
    const tenantId = await installation.createTenant('Export')
    const direct = new DirectOperations(installation, tenantId)
    const { id: accountId } = await direct.run(createAccount, { body: individual })
    const offeringWith = async (rows: number, copied: number) => {
      const params = { offeringId: await new Fixtures(installation).offering(tenantId) }
      const { id } = await direct.run(createOrder, { params, body: { account_id: accountId, units: '1000000000' } })
      await new ExportRows(installation, tenantId).copyOrder(id, rows - 1, copied)
      return { offering_id: params.offeringId }
    }
    const rows = Number(flags.rows)
    const large = await offeringWith(rows, 0)
    const small = await offeringWith(Math.ceil(rows / 2), rows)
    process.stdout.write(`${exportLine(await measureExport(installation.settings, { tenantId, small, large }))}\n`)
  } finally {
    await installation.end()
  }
}
