import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type pg from 'pg'
import { ReplicatedPostgres, replicationIsImpossible } from '../../../test/harness/clusters/replicated-postgres.ts'
import { asOwner } from '../../../test/harness/installation/database.ts'
import { until } from '../../../test/harness/wait.ts'
import { migrate } from '../../maintain/migrate/migrate.ts'
import { createLogger } from '../base/log.ts'
import { createOwnerPool, createPool } from './pools.ts'
import { RestoredDatabase } from './restored-database.ts'
import { inTransaction } from './run-transaction.ts'
import { sql } from './sql.ts'
import { endWithLanes, lanesOf, ReadLanes } from './wire/read-lanes.ts'

const config = {
  environment: 'development',
  databasePoolMax: 4,
  databaseConnectTimeoutSeconds: 20,
  databaseLockTimeoutSeconds: 5,
} as const

const log = createLogger('silent', 'test')

describe('a server that is not the primary', { skip: replicationIsImpossible }, async () => {
  const pools: pg.Pool[] = []

  const pair = await ReplicatedPostgres.create()
  await migrate({ ownerDatabaseUrl: pair.url, ownerCells: new Map([['main', pair.url]]) }, () => {})
  after(async () => {
    await Promise.all(pools.map(endWithLanes))
    await pair.remove()
  })

  const urlOf = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`

  function open(url: string, role: 'investor_token_app' | 'investor_token_worker' = 'investor_token_app'): pg.Pool {
    const pool = createPool({ url, role, cell: 'main' }, config, log)
    pools.push(pool)
    return pool
  }

  /** Like open, with a lane. Resolves once the lane is open. */
  async function openWithLane(url: string): Promise<pg.Pool> {
    const pool = open(url)
    const login = { url, role: 'investor_token_app', cell: 'main', max: 1, purpose: 'lanes' } as const
    const lanes = new ReadLanes(createPool(login, config, log), 'main', log)
    lanesOf.set(pool, lanes)
    await until('a lane is open', async () => {
      const read = sql`select current_setting('default_transaction_read_only')::bool as "isLane"`
      const found = await inTransaction(pool, { access: 'read', identity: {} }, (tx) => tx.row(read))
      return (found as { isLane: boolean }).isLane
    })
    return pool
  }

  const timelineOf = async (pool: pg.Pool) => {
    const statement = sql`select ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int as timeline`
    const row = await inTransaction(pool, { access: 'read', identity: {} }, (tx) =>
      tx.row<{ timeline: number }>(statement),
    )
    return row?.timeline
  }

  test('a standby is refused for requests, workers, the owner and migrations', async () => {
    const url = urlOf(pair.standbyPort)
    const refused = { name: 'DatabaseUnavailable', message: /^The server is a standby/ }
    await assert.rejects(timelineOf(open(url)), refused)
    await assert.rejects(open(url, 'investor_token_worker').query('select 1'), refused)
    const owner = createOwnerPool(url)
    pools.push(owner)
    await assert.rejects(owner.query('select 1'), refused)
    await assert.rejects(RestoredDatabase.connect(url), refused)
    await assert.rejects(
      migrate({ ownerDatabaseUrl: url, ownerCells: new Map([['main', url]]) }, () => {}),
      refused,
    )
  })

  test('a former primary that thaws is refused, for new connections and for existing ones', async () => {
    const pool = open(pair.url)
    assert.equal(await timelineOf(pool), 1)
    const withLane = await openWithLane(pair.url)
    assert.equal(await timelineOf(withLane), 1)
    const { thaw } = pair.freezePrimary()
    await pair.promote()
    // The old connection stays open, as if the load balancer had not noticed.
    pair.forwarder.turnTo(pair.primaryPort, { endsConnections: false })
    assert.equal(await timelineOf(open(pair.url)), 2)
    thaw()
    await asOwner(urlOf(pair.standbyPort), async (client) => {
      const { rows } = await client.query('select pg_is_in_recovery() as "isStandby"')
      assert.deepEqual(rows, [{ isStandby: false }], 'the former primary still believes that it is one')
    })
    assert.equal(pool.idleCount, 1)
    assert.equal(await timelineOf(pool), 2, 'the connection to the former primary is not used')
    assert.equal(await timelineOf(withLane), 2, 'nor is a lane to it')

    pair.forwarder.turnTo(pair.standbyPort)
    const refused = { name: 'DatabaseUnavailable', message: /is on timeline 1, but this process has seen 2/ }
    await assert.rejects(timelineOf(open(pair.url)), refused)
    await assert.rejects(open(pair.url, 'investor_token_worker').query('select 1'), refused)

    await pair.endOldPrimary()
    await pair.rebuildStandby()
    pair.forwarder.turnTo(pair.primaryPort)
    assert.equal(await timelineOf(open(pair.url)), 2)
  })
})
