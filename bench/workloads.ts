import { once } from '../service/src/platform/api/pipeline/idempotency.ts'
import { createAccount } from '../service/src/sales/accounts/create-account.ts'
import { createOrder } from '../service/src/sales/orders/create-order.ts'
import { getOrder } from '../service/src/sales/orders/get-order.ts'
import { listOfferingOrders } from '../service/src/sales/orders/list-offering-orders.ts'
import { individual } from '../service/test/harness/data/bodies.ts'
import {
  type RecordedStatement,
  recordStatements,
  runOperation,
} from '../service/test/harness/load/recorded-statements.ts'
import { type BareScript, bareScript, type Replacements, textOf } from './bare.ts'
import { httpRequest, type Requests } from './http-load.ts'
import type { BenchInstallation } from './installation.ts'
import { type OrderBook, orderIdAt, orderIdExpression } from './orders.ts'

/** One operation, as HTTP requests and as pgbench scripts. */
export interface Workload {
  readonly title: string
  readonly bare: BareScript
  readonly pipelined: BareScript
  readonly requestsOf: readonly Requests[]
  readonly expectedStatus: number
}

/** The transactions of pgbench for a workload: the statements of each branch, and the variables of its script. */
interface Transactions {
  readonly branches: Parameters<typeof bareScript>[0]
  readonly variables: readonly string[]
}

function scriptsOf({ branches, variables }: Transactions): Pick<Workload, 'bare' | 'pipelined'> {
  return {
    bare: bareScript(branches, { variables, isPipelined: false }),
    pipelined: bareScript(branches, { variables, isPipelined: true }),
  }
}

type Maker = (bench: BenchInstallation, book: OrderBook, connections: number) => Promise<Workload>

const pageLimit = 50
// Enough that connections do not run in step, but few enough to build quickly.
const requestsOfConnection = 500

/** Reads pages, newest first, at random offsets. */
export const pageWorkload: Maker = async (bench, { tenantId, offeringId, orders }, connections) => {
  const offsetMax = orders - pageLimit
  const path = (offset: number) => `/offerings/${offeringId}/orders?limit=${pageLimit}&offset=${offset}`
  const tokens = await bench.tokens(tenantId, connections)
  const seen = (await bench.call('GET', path(offsetMax), tokens[0] ?? '')) as { results: unknown[] }
  if (seen.results.length !== pageLimit) throw new Error(`a page has ${seen.results.length} orders`)

  // An offset that equals no other value of the statements.
  const offset = 12_345
  const query = { limit: pageLimit, offset }
  const statements = await recordStatements(bench.installation, { tenantId, access: 'read' }, (context) =>
    runOperation(listOfferingOrders, { params: { offeringId }, query }, context),
  )
  const branches = [{ statements, replacements: { [offset]: ':offset' } }]
  return {
    title: `page of ${pageLimit} orders`,
    ...scriptsOf({ branches, variables: [`\\set offset random(0, ${offsetMax})`] }),
    requestsOf: requestsFor(tokens, (token) => httpRequest('GET', path(randomUpTo(offsetMax)), { token })),
    expectedStatus: 200,
  }
}

/**
 * Creates accounts with a key, each connection for another tenant: connections of one tenant would mostly wait for its
 * counter, which would hide the cost of the API.
 */
export const createAccountWorkload: Maker = async (bench, _book, connections) => {
  const { installation } = bench
  const tenantIds: string[] = []
  const tokens: string[] = []
  for (let index = 0; index < connections; index += 1) {
    const tenantId = await installation.createTenant(`Tenant ${index}`)
    tenantIds.push(tenantId)
    tokens.push(...(await bench.tokens(tenantId, 1)))
  }
  await bench.call('POST', '/accounts', tokens[0] ?? '', individual)

  const branches = []
  for (const tenantId of tenantIds) {
    let accountId = ''
    const statements = await recordStatements(installation, { tenantId, access: 'write' }, (context) => {
      const key = crypto.randomUUID()
      const keyed = { tenantId, clientId: tenantId, method: 'POST', canonicalPath: '/accounts', key, body: individual }
      return once(context.tx, context.vault, keyed, async () => {
        const created = await runOperation(createAccount, { body: individual }, context)
        accountId = (created as { id: string }).id
        return { status: 201, text: JSON.stringify(created) }
      })
    })
    const replacements = { ...newIds(statements, accountId), ...keyReplacements(statements) }
    branches.push({ statements, replacements })
  }
  return {
    title: 'create account, keyed',
    ...scriptsOf({ branches, variables: [keyVariable] }),
    requestsOf: tokens.map((token) => [httpRequest('POST', '/accounts', { token, body: individual, isKeyed: true })]),
    expectedStatus: 201,
  }
}

export const singleOrderWorkload: Maker = async (bench, { tenantId, offeringId, orders }, connections) => {
  const path = (position: number) => `/offerings/${offeringId}/orders/${orderIdAt(position)}`
  const tokens = await bench.tokens(tenantId, connections)
  await bench.call('GET', path(orders - 1), tokens[0] ?? '')

  const orderId = orderIdAt(0)
  const statements = await recordStatements(bench.installation, { tenantId, access: 'read' }, (context) =>
    runOperation(getOrder, { params: { offeringId, orderId } }, context),
  )
  const branches = [{ statements, replacements: { [orderId]: orderIdExpression(':position::bigint') } }]
  return {
    title: 'single order',
    ...scriptsOf({ branches, variables: [`\\set position random(0, ${orders - 1})`] }),
    requestsOf: requestsFor(tokens, (token) => httpRequest('GET', path(randomUpTo(orders - 1)), { token })),
    expectedStatus: 200,
  }
}

/** Orders units of one offering on all connections, which compete for the lock on its row. */
export const reserveWorkload: Maker = async (bench, { tenantId, offeringId, accountIds }, connections) => {
  const bodyOf = (accountId: string) => ({ account_id: accountId, units: '1', payment_provider: 'bank_transfer' })
  const path = `/offerings/${offeringId}/orders`
  const tokens = await bench.tokens(tenantId, connections)
  const [accountId = ''] = accountIds
  await bench.call('POST', path, tokens[0] ?? '', bodyOf(accountId))

  let orderId = ''
  const statements = await recordStatements(bench.installation, { tenantId, access: 'write' }, async (context) => {
    const body = bodyOf(accountId)
    const created = await runOperation(createOrder, { params: { offeringId }, body }, context)
    orderId = (created as { id: string }).id
  })
  const reference = referenceOf(statements)
  const replacements = {
    ...newIds(statements, orderId),
    // Several statements name the order, so this is not a volatile function, which would read the whole table.
    [orderId]: `lpad(to_hex(:order::bigint), 32, '0')::uuid`,
    [reference]: `'RF' || gen_random_uuid()`,
    [textOf([reference.toLowerCase()]) ?? '']: `array['rf' || gen_random_uuid()]`,
  }
  const random = () => accountIds[randomUpTo(accountIds.length - 1)] ?? ''
  const request = (token: string) => httpRequest('POST', path, { token, body: bodyOf(random()) })
  const branches = [{ statements, replacements }]
  return {
    title: 'order of a hot offering',
    ...scriptsOf({ branches, variables: ['\\set order random(1, 9000000000000000000)'] }),
    requestsOf: requestsFor(tokens, request),
    expectedStatus: 201,
  }
}

/** Replaces the ids of the created resource and of its event: nothing is inserted for an id that exists. */
function newIds(statements: readonly RecordedStatement[], id: string): Replacements {
  const valuesOf = (table: string) => statements.find(({ text }) => text.includes(`insert into ${table}`))?.values ?? []
  const subjects = valuesOf('cell.search_term').find((value) => Array.isArray(value) && value.includes(id))
  const count = Array.isArray(subjects) ? subjects.length : 0
  return {
    [id]: 'gen_random_uuid()',
    [textOf(valuesOf('cell.event_outbox')[1]) ?? '']: 'gen_random_uuid()',
    [textOf(subjects) ?? '']: `array_fill(gen_random_uuid(), array[${count}])`,
  }
}

/** Returns the payment reference of the order that the statements insert. */
function referenceOf(statements: readonly RecordedStatement[]): string {
  const reference = statements.flatMap(({ values }) => values).find((value) => /^RF\d\d/.test(String(value)))
  if (typeof reference !== 'string') throw new Error('no statement inserts an order')
  return reference
}

/** Draws the idempotency key of a transaction of pgbench. */
const keyVariable = '\\set key random(1, 9000000000000000000)'

/** Uses another key in each transaction, for its hash and for the advisory lock: the first eight bytes of the hash. */
function keyReplacements(statements: readonly RecordedStatement[]): Replacements {
  const all = statements.flatMap(({ values }) => values)
  for (const value of all) {
    if (!Buffer.isBuffer(value) || value.length !== 32) continue
    const lockNumber = String(value.readBigInt64BE(0))
    if (all.includes(lockNumber)) return { [lockNumber]: ':key', [textOf(value) ?? '']: 'sha256(int8send(:key))' }
  }
  throw new Error('no statement locks an idempotency key')
}

function requestsFor(tokens: readonly string[], request: (token: string) => string): Requests[] {
  return tokens.map((token) => Array.from({ length: requestsOfConnection }, () => request(token)))
}

function randomUpTo(max: number): number {
  return Math.floor(Math.random() * (max + 1))
}
