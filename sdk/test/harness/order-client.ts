// An integrator's program that places orders. A test kills it; a journal lets it resume after a restart.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { InvestorToken } from '../../src/sdk.ts'

const { BASE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '', OFFERING_ID = '', ACCOUNT_ID = '' } = process.env
const { JOURNAL = '', ORDERS = '0', CALLERS = '1' } = process.env

const client = new InvestorToken({
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  baseUrl: BASE_URL,
  maxRetries: 20,
})

type Entry = { number: number; key: string; orderId?: string }
const journal = existsSync(JOURNAL) ? readFileSync(JOURNAL, 'utf8').split('\n') : []
// The last line may be incomplete, because the process was killed while writing it.
const entries = journal.slice(0, -1).map((line) => JSON.parse(line) as Entry)
const keyOf = new Map(entries.map(({ number, key }) => [number, key]))
const done = new Set(entries.filter(({ orderId }) => orderId !== undefined).map(({ number }) => number))
const write = (entry: Entry) => appendFileSync(JOURNAL, `${JSON.stringify(entry)}\n`)

let next = 0
async function placeOrders(): Promise<void> {
  while (next < Number(ORDERS)) {
    const number = next
    next += 1
    if (done.has(number)) continue
    const key = keyOf.get(number) ?? crypto.randomUUID()
    // Written before sending: after a crash the retry needs the same key.
    if (!keyOf.has(number)) write({ number, key })
    const order = { account_id: ACCOUNT_ID, units: BigInt(number + 1) }
    const { id } = await client.offerings.orders.create(OFFERING_ID, order, { idempotencyKey: key })
    write({ number, key, orderId: id })
  }
}

await Promise.all(Array.from({ length: Number(CALLERS) }, placeOrders))
