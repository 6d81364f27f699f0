import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  runningExportsMax,
  runningExportsPerUserMax,
  storedExportsMax,
} from '../src/disclosure/exports/operator/create-export.ts'
import { rejectionsMax } from '../src/platform/api/overload/known-callers.ts'
import { arrivingPerCaller, arrivingPerTenant } from '../src/platform/api/overload/request-slots.ts'
import { requestsPerUserMax } from '../src/platform/api/rate-limit/rate-limit.ts'
import { bodyMsMax } from '../src/platform/api/server/exchanges.ts'
import { readConfig } from '../src/platform/base/config.ts'
import { connectionsPerTenantMax } from '../src/platform/postgres/pool-shares.ts'

const docs = fileURLToPath(new URL('../../docs/', import.meta.url))
const textOf = (document: string) => readFileSync(join(docs, document), 'utf8')

/** Returns the latest figures in docs/performance.md; documents that cite them must agree. */
function measured(pattern: RegExp): string {
  const found = [...textOf('performance.md').matchAll(pattern)].at(-1)
  assert.ok(found, `docs/performance.md has no ${pattern}`)
  const figures = found.slice(1).map((figure) => Number(figure).toLocaleString('en-US'))
  return figures.join(' | ')
}

/** Returns the CPU times of API, PostgreSQL and Redis from their table. */
const cpuOf = (operation: string) =>
  measured(new RegExp(`^\\| ${operation} \\| (\\d+) \\| (\\d+) \\| \\d+ \\| (\\d+) \\| \\d+ \\| \\d+ kB \\|$`, 'gm'))
/** Returns the throughput of the API from the table beside pgbench. */
const throughputOf = (operation: string) =>
  measured(new RegExp(`^\\| ${operation} \\| \\d+ \\| (\\d+) \\| [\\d.]+ ms`, 'gm'))

const mints = measured(/settlement: \d+ orders\/s, (\d+) once it mints/g)

/** Figures that each document must contain, so that nobody sizes an installation by an older release. */
const cited: Readonly<Record<string, readonly string[]>> = {
  'operations/size.md': [
    `| page of 50 orders | ${cpuOf('page of 50 orders')} |`,
    `| account created with a key | ${cpuOf('create an account with a key')} |`,
    `| one order read | ${cpuOf('read one order')} |`,
    `| mints | ${mints} orders a second`,
    `| webhooks | ${measured(/delivered at (\d+) a second/g)} messages a second`,
    `| logs of a chain | ${measured(/indexer: (\d+) logs\/s cold/g)} a second`,
  ],
  'scale.md': [
    `on two cores | ${throughputOf('page of 50 orders of an offering')} a second |`,
    `accounts created with a key, the same | ${throughputOf('create an account with a key')} a second |`,
    `orders into one offering | ${measured(/orders a second without a key, (\d+) with one/g)} a second with a key |`,
    `once contracts are deployed | ${mints} a second |`,
  ],
}

const {
  requestsPerTenantMax,
  requestsPerCallerMax,
  arrivingBodiesMax,
  streamsPerTenantMax,
  databasePoolMax,
  ...config
} = readConfig({ ENVIRONMENT: 'development', DATABASE_URL: 'postgres://localhost/none' })
const grouped = (figure: number) => figure.toLocaleString('en-US')

/** Limits of one caller, from the code. */
const guards: readonly string[] = [
  `| requests in progress | ${config.requestsInFlightMax} in all |`,
  `| requests in progress in a cell, reads and writes apart | ${config.requestsPerCellMax} |`,
  `| those of a tenant | ${requestsPerTenantMax}, half`,
  `| those of a caller | ${requestsPerCallerMax}, two fifths`,
  `| bodies that are arriving | ${arrivingBodiesMax} |`,
  `| those of a tenant | a quarter: ${Math.floor(arrivingBodiesMax * arrivingPerTenant)} |`,
  `| those of a caller | a twentieth: ${Math.floor(arrivingBodiesMax * arrivingPerCaller)} |`,
  `${grouped(rejectionsMax({ requestsPerMinute: 30 }))} in 60 s, or twice its rate limit`,
  `the body of a known caller ${bodyMsMax / 1_000} s`,
  `all but a quarter at once: ${connectionsPerTenantMax(databasePoolMax)} of ${databasePoolMax}`,
  `| ${config.streamsMax}; half of a tenant: ${streamsPerTenantMax}; ${config.streamsPerPersonMax} of a person |`,
  `| ${runningExportsMax} of a tenant, ${runningExportsPerUserMax} of a user |`,
  `| finished exports | ${storedExportsMax} of a tenant |`,
  `| ${requestsPerUserMax} in any 60 s, items`,
]

describe('figures in documents', () => {
  for (const [document, figures] of Object.entries({ ...cited, 'operations/guards.md': guards }))
    test(`docs/${document} agrees with docs/performance.md and the code`, () => {
      const text = textOf(document)
      assert.deepEqual(
        figures.filter((figure) => !text.includes(figure)),
        [],
      )
    })
})
