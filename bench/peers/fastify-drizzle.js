// The same page and order with Fastify and Drizzle: row-level security, a signed token, and no other check of ours.
import fastifyJwt from '@fastify/jwt'
import { and, eq, gt, lte, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { integer, jsonb, numeric, pgSchema, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import fastify from 'fastify'
import pg from 'pg'

const cell = pgSchema('cell')
const orders = cell.table('token_order', {
  tenantId: uuid('tenant_id'),
  id: uuid('id'),
  offeringId: uuid('offering_id'),
  accountId: uuid('account_id'),
  offeringPosition: integer('offering_position'),
  units: numeric('units'),
  totalAmount: numeric('total_amount'),
  paidAmount: numeric('paid_amount'),
  currency: text('currency'),
  paymentProvider: text('payment_provider'),
  paymentBankAccount: jsonb('payment_bank_account'),
  status: text('status'),
  paidAt: timestamp('paid_at', { withTimezone: true }),
  createdAt: timestamp('created_at', { withTimezone: true }),
})
const accounts = cell.table('account', {
  tenantId: uuid('tenant_id'),
  id: uuid('id'),
  fullName: text('full_name'),
  email: text('email'),
  type: text('type'),
})
const offerings = cell.table('offering', {
  tenantId: uuid('tenant_id'),
  id: uuid('id'),
  name: text('name'),
  symbol: text('symbol'),
  blockchain: text('blockchain'),
  tokenizationPlatform: text('tokenization_platform'),
  decimals: integer('decimals'),
  type: text('type'),
  pricePerToken: numeric('price_per_token'),
  orderCount: integer('order_count'),
})
const summary = { id: accounts.id, full_name: accounts.fullName, email: accounts.email, type: accounts.type }
const offeringSummary = {
  id: offerings.id,
  name: offerings.name,
  symbol: offerings.symbol,
  blockchain: offerings.blockchain,
  tokenization_platform: offerings.tokenizationPlatform,
  decimals: offerings.decimals,
  type: offerings.type,
  price_per_token: offerings.pricePerToken,
}
const columns = {
  id: orders.id,
  units: orders.units,
  total_amount: orders.totalAmount,
  payment_provider: orders.paymentProvider,
  paid_at: orders.paidAt,
  paid_amount: orders.paidAmount,
  currency: orders.currency,
  status: orders.status,
}

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.CONNECTIONS) })
const db = drizzle(pool)
const app = fastify()
await app.register(fastifyJwt, { secret: process.env.SECRET })
app.addHook('onRequest', (request) => request.jwtVerify())

const asTenant = (tenantId, read) =>
  db.transaction(
    async (tx) => {
      await tx.execute(sql`select set_config('app.tenant_id', ${tenantId}, true)`)
      return read(tx)
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
const isAccountOf = and(eq(accounts.tenantId, orders.tenantId), eq(accounts.id, orders.accountId))

app.get('/offerings/:offeringId/orders', ({ user: { tenantId }, params: { offeringId }, query: { limit, offset } }) =>
  asTenant(tenantId, async (tx) => {
    const [offering] = await tx
      .select({ ...offeringSummary, count: offerings.orderCount })
      .from(offerings)
      .where(and(eq(offerings.tenantId, tenantId), eq(offerings.id, offeringId)))
    const last = offering.count - Number(offset)
    // By position, as our API does it: with `offset` the database would read all rows before the page.
    const results = await tx
      .select({ ...columns, account: summary })
      .from(orders)
      .innerJoin(accounts, isAccountOf)
      .where(
        and(
          eq(orders.tenantId, tenantId),
          eq(orders.offeringId, offeringId),
          lte(orders.offeringPosition, last),
          gt(orders.offeringPosition, last - Number(limit)),
        ),
      )
      .orderBy(sql`${orders.offeringPosition} desc`)
    const { count, ...rest } = offering
    return { count, offering: rest, results }
  }),
)

app.get('/offerings/:offeringId/orders/:orderId', ({ user: { tenantId }, params: { offeringId, orderId } }, reply) =>
  asTenant(tenantId, async (tx) => {
    const [order] = await tx
      .select({
        ...columns,
        payment_bank_account: orders.paymentBankAccount,
        created_at: orders.createdAt,
        account: summary,
        offering: offeringSummary,
      })
      .from(orders)
      .innerJoin(accounts, isAccountOf)
      .innerJoin(offerings, and(eq(offerings.tenantId, orders.tenantId), eq(offerings.id, orders.offeringId)))
      .where(and(eq(orders.tenantId, tenantId), eq(orders.id, orderId), eq(orders.offeringId, offeringId)))
    return order ?? reply.code(404).send()
  }),
)

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
