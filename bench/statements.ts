// A bank statement of 100,000 entries by the real path: over HTTP into the operator's API, and booked by a worker. Tells
// how fast, and that the memory does not grow with the file. Ends by itself, also when the booking is slow.
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CamtEntry, camt053Pieces } from '../service/test/harness/camt053.ts'
import { TestInstallation } from '../service/test/harness/service.ts'
import { TestTenant } from '../service/test/harness/tenant.ts'

const sizes = [10_000, 100_000] as const
const orderCount = 100
const bookingMsMax = 900_000
const mib = 1024 * 1024

const installation = await TestInstallation.create({ LOG_LEVEL: 'warn' })
try {
  const tenant = await TestTenant.create(installation, await installation.startApi({ LOG_LEVEL: 'info' }))
  const references = await makeOrders(tenant)
  const peaks: number[] = []
  let [readRate, bookedRate] = [0, 0]
  for (const size of sizes) {
    const read = await importEntries(tenant.id, size, references)
    process.stdout.write(`${size} entries: ${rate(read.perSecond)} read, peak RSS +${megabytes(read.peak)} MiB\n`)
    peaks.push(read.peak)
    readRate = read.perSecond
    bookedRate = await book(size)
  }
  const [small = 0, large = 0] = peaks
  process.stdout.write(
    `statements: ${sizes[1]} entries, ${rate(readRate)} read, ${rate(bookedRate)} booked, ` +
      `peak RSS +${megabytes(large)} MiB (${sizes[0]} entries: +${megabytes(small)} MiB)\n`,
  )
} finally {
  await installation.end()
}

async function makeOrders(tenant: TestTenant): Promise<string[]> {
  const [offeringId, accountId] = [await tenant.fixtures.offering(tenant.id), await tenant.account()]
  const operatorApi = await installation.operatorApi()
  const references: string[] = []
  for (let made = 0; made < orderCount; made += 1) {
    const id = await tenant.order(offeringId, accountId)
    references.push((await operatorApi.call(tenant.id, 'GET', `/orders/${id}`)).payment_reference)
  }
  return references
}

/** Every second entry names an order and pays a cent of it; the others wait for somebody. */
function entriesOf(size: number, references: readonly string[]): Iterable<CamtEntry> {
  return {
    *[Symbol.iterator]() {
      for (let place = 0; place < size; place += 1)
        yield {
          amount: '0.01',
          bankReference: `${size}/${place}`,
          payerName: 'Ada Lovelace',
          payerIban: 'DE02120300000000202051',
          text: 'what a payer writes on a transfer, of usual length',
          ...(place % 2 === 0 ? { creditorReference: references[place % references.length] ?? '' } : {}),
        }
    },
  }
}

/** In a process of its own, so that its peak is that of this file. */
async function importEntries(tenantId: string, size: number, references: readonly string[]) {
  // With little room for garbage, of which a process otherwise gathers as much as there is memory: what is left is what
  // the file takes.
  const api = await installation.startOperatorApi({ LOG_LEVEL: 'info', NODE_OPTIONS: '--max-old-space-size=96' })
  const { token } = await installation.createOperator(tenantId, { role: 'operator' })
  const send = async (count: number, seed: string) => {
    const entries = entriesOf(count, references)
    const pieces = function* () {
      let gathered = ''
      for (const piece of camt053Pieces({ id: seed, entries })) {
        gathered += piece
        if (gathered.length < 65_536) continue
        yield Buffer.from(gathered)
        gathered = ''
      }
      yield Buffer.from(gathered)
    }
    const answer = await fetch(`${api.baseUrl}/operator/statements`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/xml' },
      body: ReadableStream.from(pieces()),
      duplex: 'half',
    } as RequestInit)
    if (answer.status !== 201) throw new Error(await answer.text())
  }
  // Code that is compiled and pools that are filled belong to the process, not to the file.
  await send(1_000, `warm ${size}`)
  await writeFile(`/proc/${api.process.pid}/clear_refs`, '5')
  const before = await memoryOf(api.process.pid, 'VmRSS')
  const began = performance.now()
  await send(size, `${size}`)
  const seconds = (performance.now() - began) / 1_000
  const peak = (await memoryOf(api.process.pid, 'VmHWM')) - before
  await api.process.stop()
  return { perSecond: size / seconds, peak: Math.max(0, peak) }
}

async function book(size: number): Promise<number> {
  const worker = await installation.startWorker({ LOG_LEVEL: 'info' })
  const began = performance.now()
  const atFirst = await waiting()
  let left = atFirst
  while (left > 0) {
    if (performance.now() - began > bookingMsMax) break
    // What a database in use does by itself; a test server may have that switched off.
    await installation.owner((client) => client.query('analyze'))
    await sleep(5_000)
    left = await waiting()
    process.stdout.write(`  ${atFirst - left} of ${atFirst} booked\n`)
  }
  const perSecond = (atFirst - left) / ((performance.now() - began) / 1_000)
  process.stdout.write(`${size} entries: ${rate(perSecond)} booked${left > 0 ? ', given up before the end' : ''}\n`)
  await worker.stop()
  return perSecond
}

async function waiting(): Promise<number> {
  const { rows } = await installation.owner((client) =>
    client.query<{ count: number }>(`select count(*)::int from cell.bank_entry where state = 'waiting'`),
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
