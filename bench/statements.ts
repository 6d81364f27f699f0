// Imports a bank statement of 100,000 entries over HTTP through the operator API and lets a worker match its entries.
// Prints the throughput and the peak memory, which must not grow with the file. Stops after a timeout.
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { TestTenant } from '../service/test/harness/data/tenant.ts'
import { TestInstallation } from '../service/test/harness/installation/test-installation.ts'
import { type CamtEntry, camt053Pieces } from '../service/test/harness/money/camt053.ts'

const sizes = [10_000, 100_000] as const
const orderCount = 100
const matchingMsMax = 900_000
const mib = 1024 * 1024

const installation = await TestInstallation.create({ LOG_LEVEL: 'warn' })
try {
  const tenant = await TestTenant.create(installation, await installation.startApiProcess({ LOG_LEVEL: 'info' }))
  const references = await createOrders(tenant)
  const peaks: number[] = []
  let [readRate, matchedRate] = [0, 0]
  for (const size of sizes) {
    const read = await importEntries(tenant.id, size, references)
    process.stdout.write(`${size} entries: ${rate(read.perSecond)} read, peak RSS +${megabytes(read.peak)} MiB\n`)
    peaks.push(read.peak)
    readRate = read.perSecond
    matchedRate = await matchEntries(size)
  }
  const [small = 0, large = 0] = peaks
  process.stdout.write(
    `statements: ${sizes[1]} entries, ${rate(readRate)} read, ${rate(matchedRate)} matched, ` +
      `peak RSS +${megabytes(large)} MiB (${sizes[0]} entries: +${megabytes(small)} MiB)\n`,
  )
} finally {
  await installation.end()
}

async function createOrders(tenant: TestTenant): Promise<string[]> {
  const [offeringId, accountId] = [await tenant.fixtures.offering(tenant.id), await tenant.account()]
  const operatorApi = await installation.operatorApi()
  const references: string[] = []
  for (let made = 0; made < orderCount; made += 1) {
    const id = await tenant.order(offeringId, accountId)
    references.push((await operatorApi.call(tenant.id, 'GET', `/orders/${id}`)).payment_reference)
  }
  return references
}

/** Every second entry pays a cent of an order; the others become unassigned payments. */
function entriesOf(size: number, references: readonly string[]): Iterable<CamtEntry> {
  return {
    *[Symbol.iterator]() {
      for (let index = 0; index < size; index += 1)
        yield {
          amount: '0.01',
          bankReference: `${size}/${index}`,
          payerName: 'Ada Lovelace',
          payerIban: 'DE02120300000000202051',
          text: 'a remittance text of the usual length on a transfer',
          ...(index % 2 === 0 ? { creditorReference: references[index % references.length] ?? '' } : {}),
        }
    },
  }
}

/** Starts a separate API process for each file, so that the peak memory is that of this file. */
async function importEntries(tenantId: string, size: number, references: readonly string[]) {
  // A small heap keeps garbage from accumulating, so that the peak is what the import needs.
  const api = await installation.startOperatorApiProcess({ LOG_LEVEL: 'info', NODE_OPTIONS: '--max-old-space-size=96' })
  const { token } = await installation.createOperator(tenantId, { role: 'operator' })
  const send = async (count: number, seed: string) => {
    const entries = entriesOf(count, references)
    const pieces = function* () {
      let buffered = ''
      for (const piece of camt053Pieces({ id: seed, entries })) {
        buffered += piece
        if (buffered.length < 65_536) continue
        yield Buffer.from(buffered)
        buffered = ''
      }
      yield Buffer.from(buffered)
    }
    const response = await fetch(`${api.baseUrl}/operator/statements`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/xml' },
      body: ReadableStream.from(pieces()),
      duplex: 'half',
    } as RequestInit)
    if (response.status !== 201) throw new Error(await response.text())
  }
  // Warms up: compiled code and filled pools belong to the process, not to the file.
  await send(1_000, `warm ${size}`)
  await writeFile(`/proc/${api.process.pid}/clear_refs`, '5')
  const before = await memoryOf(api.process.pid, 'VmRSS')
  const start = performance.now()
  await send(size, `${size}`)
  const seconds = (performance.now() - start) / 1_000
  const peak = (await memoryOf(api.process.pid, 'VmHWM')) - before
  await api.process.stop()
  return { perSecond: size / seconds, peak: Math.max(0, peak) }
}

async function matchEntries(size: number): Promise<number> {
  const worker = await installation.startWorkerProcess({ LOG_LEVEL: 'info' })
  const start = performance.now()
  const total = await pendingCount()
  let left = total
  while (left > 0) {
    if (performance.now() - start > matchingMsMax) break
    // Autovacuum does this in production; a test server may have it disabled.
    await installation.owner((client) => client.query('analyze'))
    await sleep(5_000)
    left = await pendingCount()
    process.stdout.write(`  ${total - left} of ${total} matched\n`)
  }
  const perSecond = (total - left) / ((performance.now() - start) / 1_000)
  process.stdout.write(`${size} entries: ${rate(perSecond)} matched${left > 0 ? ', stopped by the timeout' : ''}\n`)
  await worker.stop()
  return perSecond
}

async function pendingCount(): Promise<number> {
  const { rows } = await installation.owner((client) =>
    client.query<{ count: number }>(`select count(*)::int from cell.bank_entry where state = 'pending'`),
  )
  return rows[0]?.count ?? 0
}

async function memoryOf(pid: number, what: 'VmRSS' | 'VmHWM'): Promise<number> {
  const [, kib] = new RegExp(`${what}:\\s+(\\d+) kB`).exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) * 1024
}

function rate(perSecond: number): string {
  return `${Math.round(perSecond)}/s`
}

function megabytes(bytes: number): number {
  return Math.round(bytes / mib)
}
