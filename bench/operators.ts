// What an operator request costs beyond its operation: finding the session, and deciding whether a second person is
// needed. Both run in this process against a separate PostgreSQL, alternating in one run with a transaction that
// reads nothing of ours, so that other load on the machine affects all of them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { upsertPolicy } from '../service/src/access/policies/policy.sql.ts'
import { OperatorLookup } from '../service/src/access/users/operator-lookup.ts'
import type { OperatorCellOperation, OperatorContext } from '../service/src/platform/api/declare/operation.ts'
import { proposeIfNeeded } from '../service/src/platform/api/pipeline/propose.ts'
import { systemClock } from '../service/src/platform/base/clock.ts'
import { sql } from '../service/src/platform/db/sql.ts'
import { inDirectoryTransaction } from '../service/src/platform/db/tenant-transaction.ts'
import { openOffering } from '../service/src/sales/offerings/operator/open-offering.ts'
import { type CpuTime, cpuPerRequest, cpuTime } from './cpu-time.ts'
import { BenchInstallation } from './installation.ts'
import { median } from './percentile.ts'
import { printTable } from './table.ts'

const { values: flags } = parseArgs({
  options: { rounds: { type: 'string', default: '40' }, requests: { type: 'string', default: '800' } },
})
const requests = Number(flags.requests)
// As many as the connections of this process, as in a busy API: one at a time would measure how often it wakes up.
const inFlight = 8

const bench = await BenchInstallation.open({ connections: inFlight })
try {
  const { installation } = bench
  const { databases, config } = installation
  const tenantId = await installation.createTenant('Operators', { policies: 'default' })
  // The rule that the approval check below finds does not apply.
  await inDirectoryTransaction(databases, { tenantId, access: 'write' }, (tx) =>
    upsertPolicy(tx, tenantId, { policy: 'offering_opening', fromMinor: null }),
  )
  const { cookie } = await installation.createOperator(tenantId)
  const lookup = new OperatorLookup({ databases, secretPeppers: config.secretPeppers, clock: systemClock })
  const operator = await lookup.bySession(cookie)
  if (!operator) throw new Error('the session was not found')
  const context = { tenantId, operator } as OperatorContext
  const input = { params: { offeringId: tenantId }, query: {}, body: undefined, file: undefined }
  const announceApproval = () => Promise.reject(new Error('no second person is needed here'))
  const works: Record<string, () => Promise<unknown>> = {
    'empty transaction': () =>
      inDirectoryTransaction(databases, { tenantId, access: 'read' }, (tx) => tx.row(sql`select 1 as one`)),
    'session lookup': () => lookup.bySession(cookie),
    'approval check': () =>
      proposeIfNeeded(openOffering as OperatorCellOperation, input, context, { announceApproval }),
  }
  const measured = new Map(Object.keys(works).map((name) => [name, [] as CpuTime[]]))
  for (let round = 0; round <= Number(flags.rounds); round += 1)
    for (const [name, work] of Object.entries(works)) {
      const cpu = await measure(work)
      // The first round warms up.
      if (round > 0) measured.get(name)?.push(cpu)
    }
  const cost = (name: string, process: 'api' | 'postgres') =>
    median((measured.get(name) ?? []).map((cpu) => cpu[process]))
  const rows = Object.keys(works).map((name) => [
    name,
    cost(name, 'api').toFixed(1),
    cost(name, 'postgres').toFixed(1),
    (cost(name, 'api') + cost(name, 'postgres')).toFixed(1),
  ])
  printTable(['CPU in µs', 'Node', 'PostgreSQL', 'together'], rows)
} finally {
  await bench.close()
}

async function measure(work: () => Promise<unknown>): Promise<CpuTime> {
  const [postgres] = readFileSync(join(bench.folder, 'data', 'postmaster.pid'), 'utf8').split('\n')
  const processes = { api: process.pid, postgres: Number(postgres), redis: 0 }
  const before = cpuTime(processes)
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      for (let count = 0; count < requests / inFlight; count += 1) await work()
    }),
  )
  return cpuPerRequest(before, cpuTime(processes), requests)
}
