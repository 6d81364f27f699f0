import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { createCluster } from '../../../test/harness/clusters/cluster.ts'
import { asOwner, redisUrl } from '../../../test/harness/installation/database.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { until } from '../../../test/harness/wait.ts'
import { migrate } from '../../maintain/migrate/migrate.ts'
import { createLogger } from '../base/log.ts'
import { QueueSession } from '../jobs/queue-session.ts'
import { inDirectoryTransaction } from './cells/tenant-transaction.ts'
import { sql } from './sql.ts'
import { DatabaseUnavailable } from './sql-errors.ts'

describe('transactions on a failing database', async () => {
  const { server: cluster, remove } = await createCluster()
  await migrate({ ownerDatabaseUrl: cluster.url, ownerCells: new Map([['main', cluster.url]]) }, () => {})
  const installation = new TestInstallation({ DATABASE_URL: cluster.url, REDIS_URL: redisUrl })
  const tenantId = await installation.createTenant('A')
  after(() => installation.end())
  after(() => remove())

  const write = () =>
    inDirectoryTransaction(installation.databases, { tenantId, access: 'write' }, (tx) =>
      tx.rows(sql`update directory.tenant set name = 'changed' where id = ${tenantId}`),
    )
  const asUser = (text: string) => asOwner(cluster.url, (client) => client.query(text))

  test('a commit that stops waiting for its standby is not acknowledged', async () => {
    await asUser(`alter system set synchronous_standby_names = 'missing'`)
    await asUser('select pg_reload_conf()')
    const waiting = () =>
      asOwner(cluster.url, (client) =>
        client.query<{ pid: number }>(`select pid from pg_stat_activity where wait_event = 'SyncRep'`),
      )
    const committed = write()
    committed.catch(() => {})
    await until('the commit waits for the standby', async () => (await waiting()).rows.length === 1)
    await asUser(`select pg_cancel_backend(${(await waiting()).rows[0]?.pid})`)
    await assert.rejects(committed, DatabaseUnavailable)
    await asUser('alter system reset synchronous_standby_names')
    await asUser('select pg_reload_conf()')
    await until('writes are acknowledged again', () =>
      write().then(
        () => true,
        () => false,
      ),
    )
  })

  test('a transaction that ignores a failed statement is not acknowledged', async () => {
    const swallowed = inDirectoryTransaction(installation.databases, { tenantId, access: 'write' }, async (tx) => {
      await tx.rows(sql`select 1 / 0`).catch(() => {})
    })
    await assert.rejects(swallowed, /rolled back/)
  })

  test('a worker whose name a dead session still locks releases its connections, then gets the lock', async () => {
    const pool = new pg.Pool({ connectionString: cluster.url, max: 2, options: '-c lock_timeout=100ms' })
    const deadSession = await pool.connect()
    await deadSession.query(`select pg_advisory_lock(hashtextextended('worker-7', 0))`)
    const session = new QueueSession(pool, createLogger('silent', 'test'))
    session.start()
    void session.lockName('worker-7')
    // Long enough for three attempts. If they released nothing, each would keep one of the two connections.
    await new Promise((resolve) => setTimeout(resolve, 3_500))
    deadSession.release(true)
    await until('the pool has a free connection, and the name is locked', async () => {
      const { rows } = await pool.query(`select from pg_locks where locktype = 'advisory' and granted`)
      return rows.length > 0
    })
    await session.stop()
    await pool.end()
  })

  test('a cell that accepts connections but never responds does not delay the readiness check', async () => {
    // Unreferenced, so that neither socket nor server keeps the process of this test alive.
    const blackHole = createServer((socket) => socket.unref())
      .listen(0, '127.0.0.1')
      .unref()
    await new Promise((resolve) => blackHole.once('listening', resolve))
    const address = blackHole.address()
    const port = typeof address === 'object' ? address?.port : 0
    const api = await installation.startApiProcess({
      CELLS: `main=${cluster.url} east=postgres://postgres@127.0.0.1:${port}/east`,
    })
    const startedAt = performance.now()
    assert.equal((await api.health()).httpStatus, 200)
    // Far less than the 30 s that a connection may take here.
    assert.ok(performance.now() - startedAt < 12_000, `${performance.now() - startedAt} ms`)
    await api.reports(200, 'degraded', { 'cell east': 'down' })
    await api.process.kill()
    blackHole.close()
  })

  test('while a database is down, requests get 503 and never 500; they succeed after its restart', async () => {
    const api = await installation.startApiProcess()
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 60_000 })
    assert.equal((await api.auth(credential)).status, 200)
    const seen = new Set<number>()
    let isDone = false
    const load = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!isDone) seen.add((await api.auth(credential)).status)
      }),
    )
    await cluster.kill()
    await cluster.start()
    await until('requests succeed again', async () => (await api.auth(credential)).status === 200, 20_000)
    isDone = true
    await load
    const unexpected = [...seen].filter((status) => status !== 200 && status !== 503)
    assert.deepEqual(unexpected, [])
  })
})
