import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { FrozenPlacement } from '../../../../test/harness/clusters/frozen-placement.ts'
import {
  asOwner,
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../../../test/harness/installation/database.ts'
import { TestInstallation } from '../../../../test/harness/installation/test-installation.ts'
import { until, waitingForLocks } from '../../../../test/harness/wait.ts'
import { migrate } from '../../../maintain/migrate/migrate.ts'
import { createLogger } from '../../base/log.ts'
import { type Databases, openDatabases } from '../pools.ts'
import { inTransaction } from '../run-transaction.ts'
import { sql } from '../sql.ts'
import type { Access, Transaction } from '../transaction.ts'
import { Placement } from './placement.ts'
import { inTenantTransaction } from './tenant-transaction.ts'

const isPending = Symbol('pending')

describe('the residence of a tenant', async () => {
  let placement: Placement
  let tenantId: string

  const main = await createTestDatabase()
  const east = await createEmptyDatabase()
  const cells = new Map([
    ['main', main.url],
    ['east', east.url],
  ])
  await migrate({ ownerDatabaseUrl: main.url, ownerCells: cells }, () => {})
  const installation = new TestInstallation({ DATABASE_URL: main.url, CELLS: `main=${main.url} east=${east.url}` })
  // One lane, as in the API: reads travel in lanes.
  const databases = openDatabases(installation.config, createLogger('silent', 'test'), { lanes: 1 })
  for (const pool of databases.cells.values())
    await until('a lane is open', async () => {
      const read = sql`select current_setting('default_transaction_read_only')::bool as "isLane"`
      const found = await inTransaction(pool, { access: 'read', identity: {} }, (tx) => tx.row(read))
      return (found as { isLane: boolean }).isLane
    })
  after(() => databases.end())
  after(() => installation.end())
  after(() => east.drop())
  after(() => main.drop())
  beforeEach(async () => {
    tenantId = await installation.createTenant('moves')
    // Nothing invalidates it, so it stays outdated until the cell rejects it.
    placement = new Placement(databases)
  })

  function inTenant<Result>(access: Access, work: (tx: Transaction) => Promise<Result>, msMax?: number) {
    return inTenantTransaction({ databases, placement }, { tenantId, access, msMax }, work)
  }

  const countAccounts = (tx: Transaction) =>
    tx.row<{ count: string }>(sql`select account_count as count from cell.tenant where id = ${tenantId}`)
  const addAccount = (tx: Transaction) =>
    tx.rows(sql`update cell.tenant set account_count = account_count + 1 where id = ${tenantId}`)
  const countIn = async ({ url }: TestDatabase) => {
    const { rows } = await asOwner(url, (client) =>
      client.query('select account_count as count from cell.tenant where id = $1', [tenantId]),
    )
    return Number(rows[0].count)
  }
  const setState = ({ url }: TestDatabase, state: string) =>
    asOwner(url, (client) =>
      client.query('update cell.residence set state = $2 where tenant_id = $1', [tenantId, state]),
    )

  /** Does what a move does to the rows of a tenant without data. */
  async function moveToEast(): Promise<void> {
    await setState(main, 'left')
    await asOwner(east.url, async (client) => {
      await client.query('insert into cell.tenant (id, account_count) values ($1, $2)', [tenantId, await countIn(main)])
      await client.query('update cell.residence set epoch = 2 where tenant_id = $1', [tenantId])
    })
    await asOwner(main.url, (client) =>
      client.query(`update directory.tenant set cell = 'east', epoch = 2 where id = $1`, [tenantId]),
    )
  }

  test('a process with an outdated placement reads and writes nothing in the cell that the tenant has left', async () => {
    await inTenant('write', addAccount)
    await moveToEast()
    await asOwner(east.url, (client) =>
      client.query('update cell.tenant set account_count = 10 where id = $1', [tenantId]),
    )
    assert.deepEqual(await inTenant('read', countAccounts), { count: '10' })
    assert.equal(await placement.cellOf(tenantId), 'east')

    placement = new Placement(databases)
    await asOwner(main.url, (client) =>
      client.query(`update directory.tenant set cell = 'main', epoch = 1 where id = $1`, [tenantId]),
    )
    assert.equal(await placement.cellOf(tenantId), 'main')
    await asOwner(main.url, (client) =>
      client.query(`update directory.tenant set cell = 'east', epoch = 2 where id = $1`, [tenantId]),
    )
    await inTenant('write', addAccount)
    assert.deepEqual([await countIn(main), await countIn(east)], [1, 11])
  })

  /** Reads and writes like a process that believes in the given placement: in lanes, and on the pool alone. */
  function frozenProcess(frozen: readonly { databases: Databases; placement: Placement }[]) {
    const attempt = (access: Access, work: (tx: Transaction) => Promise<unknown>) =>
      frozen.map((tenants) =>
        inTenantTransaction(tenants, { tenantId, access }, work).catch((error: Error) => error.name),
      )
    return Promise.all([...attempt('write', addAccount), ...attempt('read', countAccounts)])
  }

  const freeze = () =>
    Promise.all(
      [databases, installation.databases].map(async (process) => ({
        databases: process,
        placement: await FrozenPlacement.of(process, tenantId),
      })),
    )

  test('a process whose placement is frozen writes and reads nothing, in lanes and on the pool', async () => {
    const frozen = await freeze()
    await moveToEast()
    const refused = Array.from({ length: 4 }, () => 'DatabaseUnavailable')
    assert.deepEqual(await frozenProcess(frozen), refused)
    assert.deepEqual([await countIn(main), await countIn(east)], [0, 0])
    // The tenant is back, two moves later than the process believes.
    await asOwner(main.url, (client) =>
      client.query(`update cell.residence set state = 'here', epoch = 3 where tenant_id = $1`, [tenantId]),
    )
    assert.deepEqual(await frozenProcess(frozen), refused)
    assert.equal(await countIn(main), 0)
  })

  test('without the check of cell.enter, the same process writes and reads: nothing else stops it', async () => {
    const frozen = await freeze()
    await moveToEast()
    await withoutFence(main, async () => {
      const [, , ...reads] = await frozenProcess(frozen)
      for (const read of reads) assert.match((read as { count: string }).count, /^[012]$/)
    })
    assert.deepEqual([await countIn(main), await countIn(east)], [2, 0])
  })

  test('a cell with another epoch than the directory serves nothing, although the tenant is here', async () => {
    await asOwner(main.url, (client) => client.query('update directory.tenant set epoch = 2 where id = $1', [tenantId]))
    const refused = { name: 'DatabaseUnavailable', message: /moving/ }
    await Promise.all(
      (['read', 'write'] as const).map((access) => assert.rejects(inTenant(access, countAccounts), refused)),
    )
  })

  test('while a tenant is leaving, requests wait, and continue if it stays', async () => {
    await inTenant('read', countAccounts)
    await setState(main, 'leaving')
    let attempts = 0
    const results = Promise.all([
      inTenant('write', (tx) => {
        attempts += 1
        return addAccount(tx)
      }),
      inTenant('read', countAccounts),
    ])
    await until('the write was attempted twice', () => attempts > 1)
    assert.equal(await Promise.race([results, Promise.resolve(isPending)]), isPending)
    await setState(main, 'here')
    await results
    assert.equal(await countIn(main), 1)
  })

  test('an upload is not repeated', async () => {
    await inTenant('read', countAccounts)
    await setState(main, 'left')
    let attempts = 0
    const upload = (tx: Transaction) => {
      attempts += 1
      return addAccount(tx)
    }
    await assert.rejects(inTenant('write', upload, 60_000), { name: 'DatabaseUnavailable' })
    assert.equal(attempts, 1)
  })

  test('a move waits for writes that are under way; later ones wait for the move and see its result', async () => {
    const isWriting = Promise.withResolvers<void>()
    const mayCommit = Promise.withResolvers<void>()
    const underWay = inTenant('write', async (tx) => {
      await addAccount(tx)
      isWriting.resolve()
      await mayCommit.promise
    })
    await isWriting.promise
    await asOwner(main.url, async (mover) => {
      await mover.query('begin')
      const locked = mover.query(`select pg_advisory_xact_lock(hashtextextended('cell.residence ' || $1, 0))`, [
        tenantId,
      ])
      await until('the move waits for the write', async () => (await waitingForLocks(installation)) === 1)
      const later = inTenant('write', addAccount)
      await until('the later write waits too', async () => (await waitingForLocks(installation)) === 2)
      mayCommit.resolve()
      await underWay
      await locked
      assert.equal(await countIn(main), 1)
      await mover.query(`update cell.residence set state = 'leaving' where tenant_id = $1`, [tenantId])
      await mover.query('commit')
      await moveToEast()
      await later
    })
    assert.deepEqual([await countIn(main), await countIn(east)], [1, 2])
  })

  test('the application role can neither insert nor change a residence', async () => {
    for (const statement of [
      sql`insert into cell.residence (tenant_id) values (${crypto.randomUUID()})`,
      sql`update cell.residence set epoch = 7 where tenant_id = ${tenantId}`,
    ])
      await assert.rejects(
        inTenant('write', (tx) => tx.rows(statement)),
        { code: '42501' },
      )
  })
})

/** Replaces cell.enter with a function that only sets the tenant, as in a transaction without a residence. */
async function withoutFence({ url }: TestDatabase, work: () => Promise<void>): Promise<void> {
  await asOwner(url, async (client) => {
    const { rows } = await client.query<{ fence: string }>(`select pg_get_functiondef('cell.enter'::regproc) as fence`)
    await client.query(`
      create or replace function cell.enter(wanted uuid, expected_epoch bigint, writes boolean) returns void
      language plpgsql as $$ begin perform set_config('app.tenant_id', wanted::text, true); end $$`)
    try {
      await work()
    } finally {
      await client.query(rows[0]?.fence ?? '')
    }
  })
}
