import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import type pg from 'pg'
import { asOwner, createTestDatabase, redisUrl } from '../../../test/harness/installation/database.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { PgBouncer, pgBouncerIsMissing } from '../../../test/harness/servers/pg-bouncer.ts'
import { until } from '../../../test/harness/wait.ts'
import { createLogger } from '../base/log.ts'
import { sessionSettings } from './check-connection.ts'
import { createPool } from './pools.ts'

const roles = ['investor_token_app', 'investor_token_worker'] as const
const config = {
  environment: 'development',
  databasePoolMax: 2,
  databaseConnectTimeoutSeconds: 20,
  databaseLockTimeoutSeconds: 5,
} as const

describe('a database connection', async () => {
  const database = await createTestDatabase()
  after(() => database.drop())

  async function withPool<Result>(
    url: string,
    role: (typeof roles)[number],
    work: (pool: pg.Pool) => Promise<Result>,
    cell?: string,
  ): Promise<Result> {
    const pool = createPool({ url, role, cell }, config, createLogger('silent', 'test'))
    try {
      return await work(pool)
    } finally {
      await pool.end()
    }
  }

  for (const mode of ['transaction', 'session'] as const)
    test(`is refused if a pooler in ${mode} mode dropped its role`, { skip: pgBouncerIsMissing }, async () => {
      const pooler = await PgBouncer.start(database.url, { mode })
      try {
        for (const role of roles)
          await withPool(pooler.url, role, (pool) =>
            assert.rejects(pool.query('select 1'), {
              message: new RegExp(`^The database connection was opened without role=${role}, .*a pooler .* dropped`),
            }),
          )
      } finally {
        await pooler.stop()
      }
    })

  test('through a pooler that sets role and timeouts is accepted', { skip: pgBouncerIsMissing }, async () => {
    const settings = Object.entries(sessionSettings(roles[0], 5))
    const connectQuery = settings.map(([name, value]) => `set ${name} = '${value}'`).join('; ')
    const pooler = await PgBouncer.start(database.url, { mode: 'session', connectQuery })
    try {
      const { rows } = await withPool(pooler.url, roles[0], (pool) => pool.query('select current_user as role'))
      assert.deepEqual(rows, [{ role: roles[0] }])
    } finally {
      await pooler.stop()
    }
  })

  test('without the timeouts is refused', async () => {
    await withPool(database.url, roles[0], async (pool) => {
      pool.options.options = `-c role=${roles[0]} -c lock_timeout=5s -c idle_in_transaction_session_timeout=15s`
      await assert.rejects(pool.query('select 1'), { message: /opened without statement_timeout=10s:/ })
    })
  })

  test('to another cell is refused, for the application and for workers', async () => {
    for (const role of roles)
      await withPool(
        database.url,
        role,
        (pool) =>
          assert.rejects(pool.query('select 1'), { message: /lists this database as cell east, but it is cell main/ }),
        'east',
      )
  })

  test('of a worker or an indexer to another cell is refused', async () => {
    const other = await createTestDatabase()
    await asOwner(other.url, (client) => client.query(`update cell.identity set name = 'east'`))
    const cells = { CELLS: `main=${other.url}`, CHAINS: 'anvil=http://127.0.0.1:1' }
    const installation = new TestInstallation({ DATABASE_URL: database.url, REDIS_URL: redisUrl, ...cells })
    try {
      const started = [
        await installation.startWithoutWaiting('worker', {}),
        await installation.startWithoutWaiting('indexer', {}),
      ]
      const messages = ['the job queue is unavailable; retrying', 'the chain could not be indexed; retrying']
      for (const [index, running] of started.entries()) {
        const { err } = await running.logged(messages[index] ?? '')
        assert.match((err as { message: string }).message, /lists this database as cell main, but it is cell east/)
      }
    } finally {
      await installation.end()
      await other.drop()
    }
  })

  test('is probed after 10 s without traffic', { skip: !existsSync('/proc/net/tcp') }, async () => {
    await withPool(database.url, roles[0], async (pool) => {
      const client = await pool.connect()
      const { localPort } = (client as unknown as { connection: { stream: { localPort: number } } }).connection.stream
      client.release()
      // While data is unacknowledged, the retransmission timer runs instead.
      await until('the keepalive timer runs', () => timerOf(localPort).timer === '02')
      assert.ok(timerOf(localPort).seconds <= 10)
    })
  })
})

/** Returns the running timer of the connection with this local port, and the seconds until it fires. */
function timerOf(port: number): { timer: string; seconds: number } {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0')
  const line = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .find((one) => one.trim().split(/\s+/)[1]?.endsWith(`:${hexPort}`))
  const [timer = '', jiffies = ''] = line?.trim().split(/\s+/)[5]?.split(':') ?? []
  return { timer, seconds: Number.parseInt(jiffies, 16) / 100 }
}
