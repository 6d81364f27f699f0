import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type pg from 'pg'
import { tallyEffects } from '../../../test/harness/faults/exactly-once.ts'
import { KeyedWriters } from '../../../test/harness/faults/keyed-writers.ts'
import { asOwner } from '../../../test/harness/installation/database.ts'
import { LanePools, laneOf, readAs } from '../../../test/harness/installation/lane-pools.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { newSeed, seededRandom } from '../../../test/harness/seeded-random.ts'
import { PgBouncer, pgBouncerIsTooOld } from '../../../test/harness/servers/pg-bouncer.ts'
import { until } from '../../../test/harness/wait.ts'
import { createLogger } from '../base/log.ts'
import { laneSettings, sessionSettings } from './check-connection.ts'
import { createPool } from './pools.ts'
import { inTransaction } from './run-transaction.ts'
import { sql } from './sql.ts'

const role = 'investor_token_app'
const transactions = 1_000
const clients = 40
/** Connections of the pooler to the database, per login. */
const serverConnections = 5

/** Set up like in docs/operations/poolers.md: the settings belong to the logins, so every connection has them. */
describe('a pooler in transaction mode', { skip: pgBouncerIsTooOld }, async () => {
  const logins: string[] = []

  const installation = await TestInstallation.create()
  const pools = new LanePools(installation)
  const tenantIds = await Promise.all(['A', 'B', 'C'].map((name) => installation.createTenant(name)))
  const lockSeconds = installation.config.databaseLockTimeoutSeconds
  const app = await startPooler('app', sessionSettings(role, lockSeconds))
  const read = await startPooler('read', laneSettings(role))
  after(async () => {
    await pools.end()
    await Promise.all([app.stop(), read.stop()])
    const server = new URL(installation.config.databaseUrl)
    await installation.end()
    server.pathname = '/postgres'
    for (const login of logins) await asOwner(server.href, (client) => client.query(`drop role ${login}`))
  })

  async function startPooler(purpose: string, settings: Readonly<Record<string, string>>): Promise<PgBouncer> {
    const direct = new URL(installation.config.databaseUrl)
    direct.username = `its_${purpose}_${direct.pathname.slice(1)}`
    logins.push(direct.username)
    await installation.owner(async (owner) => {
      await owner.query(`create role ${direct.username} login noinherit password 'plain'`)
      await owner.query(`grant ${role} to ${direct.username}`)
      for (const [name, value] of Object.entries(settings))
        await owner.query(`alter role ${direct.username} set ${name} = '${value}'`)
    })
    direct.password = 'plain'
    const pooled = { max_prepared_statements: 500, default_pool_size: serverConnections, max_client_conn: 500 }
    return PgBouncer.start(direct.href, { mode: 'transaction', settings: pooled })
  }

  const urls = () => ({ app: app.url, read: read.url })
  const tenantOf = (index: number) => tenantIds[index % tenantIds.length] as string

  async function withPool(max: number, work: (pool: pg.Pool) => Promise<void>): Promise<void> {
    // Unlike development, live refuses logins that may do more than their role.
    const config = { ...installation.config, environment: 'live' } as const
    const pool = createPool({ url: urls().app, role, cell: 'main', max }, config, createLogger('silent', 'test'))
    try {
      await work(pool)
    } finally {
      await pool.end()
    }
  }

  const connectionsOf = async (login: string) => {
    const query = 'select count(*)::integer as count from pg_stat_activity where usename = $1'
    const { rows } = await installation.owner((owner) => owner.query<{ count: number }>(query, [login]))
    return rows[0]?.count ?? 0
  }

  test('1,000 transactions of 40 clients have their tenant, role and timeouts, on 5 connections', async () => {
    const expected = { role, statement_timeout: '30s' }
    await withPool(clients, async (pool) => {
      let left = transactions
      const client = async () => {
        for (let index = left--; index > 0; index = left--) {
          const tenantId = tenantOf(index)
          const access = index % 3 === 0 ? 'read' : 'write'
          // An error ends a transaction in the middle of its batch; the next one may get the same connection.
          const failing = index % 10 === 0 ? sql`select 1 / ${0}::int as failed` : sql`select 1 as one`
          const work = inTransaction(pool, { access, identity: { tenantId }, epoch: '1' }, async (tx) => {
            if (access === 'write')
              tx.later(sql`update cell.tenant set account_count = account_count + 1 where id = ${tenantId}`)
            const [tenants, settings] = await Promise.all([
              tx.rows(sql`select id from cell.tenant`),
              tx.row(sql`select current_user as role, current_setting('statement_timeout') as statement_timeout`),
            ])
            assert.deepEqual([tenants, settings], [[{ id: tenantId }], expected])
            await tx.rows(failing)
          })
          if (index % 10 === 0) await assert.rejects(work, { code: '22012' })
          else await work
        }
      }
      await Promise.all(Array.from({ length: clients }, client))
    })
    const used = await connectionsOf(logins[0] ?? '')
    assert.ok(used > 0 && used <= serverConnections, `${used} connections`)
    const { rows } = await installation.owner((owner) =>
      owner.query<{ sum: number }>('select sum(account_count)::integer as sum from cell.tenant'),
    )
    const isCommitted = (index: number) => index % 3 !== 0 && index % 10 !== 0
    const written = Array.from({ length: transactions }, (_, index) => index + 1).filter(isCommitted).length
    assert.equal(rows[0]?.sum, written)
  })

  test('a transaction that is given up is rolled back, and no other gets its connection', async () => {
    const [tenantId] = tenantIds
    const count = async () => {
      const query = 'select account_count as count from cell.tenant where id = $1'
      return (await installation.owner((owner) => owner.query(query, [tenantId]))).rows[0]?.count
    }
    const earlier = await count()
    await withPool(1, async (pool) => {
      const options = { access: 'write', identity: { tenantId: tenantId ?? '' }, epoch: '1', msMax: 300 } as const
      const givenUp = inTransaction(pool, options, async (tx) => {
        await tx.rows(sql`update cell.tenant set account_count = account_count + 7`)
        await new Promise(() => {})
      })
      await assert.rejects(givenUp, { name: 'DatabaseUnavailable', message: /took too long/ })
      await until('the lock of the row is free', () =>
        inTransaction(pool, { ...options, msMax: 5_000 }, (tx) =>
          tx.rows(sql`select from cell.tenant where id = ${tenantId ?? ''} for update nowait`),
        ).then(
          () => true,
          () => false,
        ),
      )
    })
    assert.equal(await count(), earlier)
  })

  test('reads of many tenants share lanes, and no read sees the tenant of another', async () => {
    const pool = pools.open({ max: 3, isAlone: true, url: urls().read })
    await laneOf(pool)
    let left = transactions
    const client = async () => {
      for (let index = left--; index > 0; index = left--) {
        const tenantId = tenantOf(index)
        const readTenant = () => readAs(pool, { tenantId }, (tx) => tx.rows(sql`select id from cell.tenant`), '1')
        assert.deepEqual(await inLane(readTenant), [{ id: tenantId }])
        if (index % 10 === 0)
          await assert.rejects(
            readAs(pool, { tenantId }, (tx) => tx.rows(sql`select 1 / ${0}::int as failed`)),
            { message: 'not in a lane' },
          )
        if (index % 11 === 0)
          await assert.rejects(
            readAs(pool, { tenantId }, (tx) => tx.rows(sql`update cell.tenant set account_count = 0`)),
            { message: 'not in a lane' },
          )
      }
    }
    // Fewer than one lane accepts at once.
    await Promise.all(Array.from({ length: 12 }, client))
    const withoutTenant = () => readAs(pool, {}, (tx) => tx.rows(sql`select id from cell.tenant`))
    assert.deepEqual(await inLane(withoutTenant), [])
  })

  test('two APIs behind it neither lose nor duplicate a write', async (context) => {
    const pooled = { DATABASE_URL: urls().app, READ_DATABASE_URL: urls().read }
    const apis = [await installation.startApi(pooled), await installation.startApi(pooled)]
    // Connects directly: its locks and LISTEN belong to a session.
    await installation.startWorker()
    const seed = newSeed()
    context.diagnostic(`seed ${seed}`)
    const writers = await KeyedWriters.create(installation, seededRandom(seed), { clients: 6 })
    context.after(() => writers.abort())
    writers.setTargets(apis.map(({ baseUrl }) => baseUrl))
    await writers.start()
    await until('there were 200 writes', () => writers.acknowledgedAt.length >= 200, 240_000)
    await writers.finish()
    await writers.replayAll()
    const { duplicates, lost, problems } = await tallyEffects(installation, writers)
    assert.deepEqual({ duplicates, lost, problems }, { duplicates: 0, lost: 0, problems: [] })
    const failures = [...writers.seen.keys()].filter((result) => result.startsWith('5'))
    assert.deepEqual(failures, [])
    const credential = await installation.issueCredential(writers.tenantId, { requestsPerMinute: 600 })
    for (const api of apis) {
      const token = await api.token(credential)
      const list = () => api.call('GET', '/accounts', { token })
      const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await list()).status))
      assert.deepEqual(new Set(statuses), new Set([200]))
      assert.ok(api.process.output.every((line) => !line.includes('a lane for reads could not be opened')))
    }
    for (const login of logins) {
      const used = await connectionsOf(login)
      assert.ok(used > 0 && used <= serverConnections, `${login} has ${used} connections`)
    }
  })
})

/** Retries until a lane serves the read: on a busy machine, a slow lane leaves reads to the pool for a while. */
async function inLane<Result>(read: () => Promise<Result>): Promise<Result> {
  const served: Result[] = []
  await until('a lane serves the read', async () => {
    await read().then(
      (result) => served.push(result),
      (error: Error) => assert.equal(error.message, 'not in a lane'),
    )
    return served.length > 0
  })
  return served[0] as Result
}
