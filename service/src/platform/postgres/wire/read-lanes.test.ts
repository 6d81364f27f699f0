import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { asOwner } from '../../../../test/harness/installation/database.ts'
import { LanePools, laneOf, readAs } from '../../../../test/harness/installation/lane-pools.ts'
import { TestInstallation } from '../../../../test/harness/installation/test-installation.ts'
import { PgBouncer, pgBouncerIsMissing } from '../../../../test/harness/servers/pg-bouncer.ts'
import { until } from '../../../../test/harness/wait.ts'
import { laneSettings } from '../check-connection.ts'
import { sql } from '../sql.ts'
import { lanesOf } from './read-lanes.ts'

describe('lanes', async () => {
  const installation = await TestInstallation.create()
  const pools = new LanePools(installation)
  const tenantId = await installation.createTenant('A')
  after(() => pools.end())
  after(() => installation.end())

  test('the statements of one read see one snapshot', async () => {
    const pool = pools.open({ max: 1, isAlone: true })
    await laneOf(pool)
    const count = sql`select account_count as count from cell.tenant`
    const counts = readAs(pool, { tenantId }, (tx) =>
      Promise.all([tx.row(count), tx.rows(sql`select pg_sleep(0.5)`), tx.row(sql`${count} where true`)]),
    )
    await until('the read waits', async () => (await sleepers()) === 1)
    await asOwner(installation.config.databaseUrl, (owner) =>
      owner.query('update cell.tenant set account_count = account_count + 1 where id = $1', [tenantId]),
    )
    const [first, , last] = await counts
    assert.deepEqual(last, first)
    // A tenant whose read was slow stays out of the lanes of its process for a while.
    const other = pools.open({ max: 1, isAlone: true })
    await laneOf(other)
    assert.notDeepEqual(await readAs(other, { tenantId }, (tx) => tx.row(count)), first)
  })

  const sleepers = async () => {
    const { rows } = await asOwner(installation.config.databaseUrl, (owner) =>
      owner.query(`select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`),
    )
    return rows.length
  }

  test('reads behind a slow statement do not wait for it', async () => {
    const pool = pools.open({ max: 1 })
    await laneOf(pool)
    const order: string[] = []
    const slow = readAs(pool, { tenantId }, (tx) => tx.rows(sql`select pg_sleep(0.9)`)).then(() => order.push('slow'))
    const quick = Array.from({ length: 20 }, () =>
      readAs(pool, { tenantId }, (tx) => tx.rows(sql`select id from cell.tenant`)).then(() => order.push('quick')),
    )
    await Promise.all([slow, ...quick])
    assert.deepEqual(order.slice(-1), ['slow'])
  })

  test('a tenant whose reads are slow reads on the pool for a while, so others do not wait behind it again', async () => {
    const pool = pools.open({ max: 1 })
    const lane = await laneOf(pool)
    const backendOf = async (id: string) =>
      (await readAs(pool, { tenantId: id }, (tx) => tx.row<{ pid: number }>(sql`select pg_backend_pid() as pid`)))?.pid
    assert.equal(await backendOf(tenantId), lane)
    await readAs(pool, { tenantId }, (tx) => tx.rows(sql`select pg_sleep(0.5)`))
    assert.notEqual(await backendOf(tenantId), lane)
    assert.equal(await backendOf(crypto.randomUUID()), lane)
  })

  test('a statement that takes longer than a lane allows completes on the pool', async () => {
    const pool = pools.open({ max: 1 })
    const lane = await laneOf(pool)
    const served = await readAs(pool, {}, (tx) =>
      tx.row<{ pid: number }>(sql`select pg_backend_pid() as pid, pg_sleep(1.5)`),
    )
    assert.ok(served && served.pid !== lane)
  })

  test('a lane whose connection breaks fails no read, and is replaced', async () => {
    const pool = pools.open({ max: 1 })
    const own = () => readAs(pool, { tenantId }, (tx) => tx.rows(sql`select id from cell.tenant`))
    const pid = await laneOf(pool)
    const waiting = Promise.all([readAs(pool, {}, (tx) => tx.rows(sql`select pg_sleep(0.3)`)), own(), own()])
    await asOwner(installation.config.databaseUrl, (owner) => owner.query('select pg_terminate_backend($1)', [pid]))
    const [, first, second] = await waiting
    assert.deepEqual([first, second], [[{ id: tenantId }], [{ id: tenantId }]])
    await laneOf(pool, (other) => other !== pid)
  })

  test('a statement whose columns have changed since it was prepared is read again', async () => {
    const pool = pools.open({ max: 1 })
    await laneOf(pool)
    await asOwner(installation.config.databaseUrl, async (owner) => {
      await owner.query('create table public.changing (value int); grant select on public.changing to public')
      await owner.query('insert into public.changing values (7)')
      const value = () => readAs(pool, {}, (tx) => tx.row(sql`select * from public.changing`))
      assert.deepEqual(await value(), { value: 7 })
      await owner.query(`alter table public.changing add other text default 'new'`)
      assert.deepEqual(await value(), { value: 7, other: 'new' })
      assert.deepEqual(await value(), { value: 7, other: 'new' })
    })
  })

  test('through a pooler, lanes have the settings of their login', { skip: pgBouncerIsMissing }, async () => {
    const login = `its_read_${process.pid}`
    await asOwner(installation.config.databaseUrl, async (owner) => {
      await owner.query(`create role ${login} login noinherit`)
      await owner.query(`grant investor_token_app to ${login}`)
      for (const [name, value] of Object.entries(laneSettings('investor_token_app')))
        await owner.query(`alter role ${login} set ${name} = '${value}'`)
    })
    const direct = new URL(installation.config.databaseUrl)
    direct.username = login
    const pooler = await PgBouncer.start(direct.href, { mode: 'session', resetQuery: '' })
    const pool = pools.open({ max: 1, isAlone: true, url: pooler.url })
    try {
      await laneOf(pool)
      for (const identity of [{ tenantId }, {}]) {
        const seen = await readAs(pool, identity, (tx) => tx.rows(sql`select id from cell.tenant`))
        assert.deepEqual(seen, 'tenantId' in identity ? [{ id: tenantId }] : [])
      }
    } finally {
      await lanesOf.get(pool)?.end()
      lanesOf.delete(pool)
      await pooler.stop()
      await asOwner(installation.config.databaseUrl, (owner) => owner.query(`drop role ${login}`))
    }
  })

  test('through a pooler that drops their settings, reads use the pool', { skip: pgBouncerIsMissing }, async () => {
    const pooler = await PgBouncer.start(installation.config.databaseUrl, { mode: 'session' })
    const pool = pools.open({ max: 1, url: pooler.url })
    try {
      for (let index = 0; index < 20; index += 1)
        assert.deepEqual(await readAs(pool, { tenantId }, (tx) => tx.rows(sql`select id from cell.tenant`)), [
          { id: tenantId },
        ])
    } finally {
      await lanesOf.get(pool)?.end()
      lanesOf.delete(pool)
      await pooler.stop()
    }
  })
})
