import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { LanePools, laneOf, readAs } from '../../../../test/harness/installation/lane-pools.ts'
import { TestInstallation } from '../../../../test/harness/installation/test-installation.ts'
import { raw, sql } from '../sql.ts'

// The full number takes minutes on a busy machine.
const reads = process.env['TEST_LONG'] ? 100_000 : 6_000
// Fewer than lanes accept at once, even if one of them is slow.
const clients = 24

describe('reads that share lanes', async () => {
  const installation = await TestInstallation.create()
  const pools = new LanePools(installation)
  const tenantIds = await Promise.all(Array.from({ length: 6 }, (_, index) => installation.createTenant(`${index}`)))
  after(() => pools.end())
  after(() => installation.end())

  test('interleaved at random, no read sees the tenant of another, whatever fails', async () => {
    const pool = pools.open({ max: 3, isAlone: true })
    await laneOf(pool)
    const seen = new Set<string>()
    let started = 0
    let notInLane = 0
    const client = async () => {
      while (started < reads + notInLane && notInLane < reads) {
        started += 1
        const kind = pick(kinds)
        try {
          await kind.run(pool, pick(tenantIds))
          seen.add(kind.name)
        } catch (error) {
          // All lanes are slow or full, and there is no pool here.
          if ((error as Error).message !== 'not in a lane') throw error
          notInLane += 1
          await sleep(10)
        }
      }
    }
    await Promise.all(Array.from({ length: clients }, client))
    assert.deepEqual([...seen].toSorted(), kinds.map(({ name }) => name).toSorted())
    assert.ok(notInLane < reads, `${notInLane} reads found no lane`)
  })
})

/** Actions of one read, with what it must see. The pool would close connections after errors; lanes keep them. */
const kinds: { name: string; run: (pool: pg.Pool, tenantId: string) => Promise<void> }[] = [
  {
    name: 'rows of a tenant that is here',
    run: async (pool, tenantId) => {
      const echo = crypto.randomUUID()
      const [rows, row, setting] = await readAs(
        pool,
        { tenantId },
        (tx) =>
          Promise.all([
            tx.rows(sql`select id from cell.tenant`),
            tx.row(sql`select ${echo}::text as echo, ${tenantId}::text as id`),
            tx.row(sql`select current_setting('app.tenant_id', true) as id`),
          ]),
        '1',
      )
      assert.deepEqual([rows, row, setting], [[{ id: tenantId }], { echo, id: tenantId }, { id: tenantId }])
    },
  },
  {
    name: 'rows without an epoch',
    run: async (pool, tenantId) => {
      const rows = await readAs(pool, { tenantId }, (tx) => tx.rows(sql`select id from cell.data_key`))
      assert.equal(rows.length, 1)
      const ids = await readAs(pool, { tenantId }, (tx) => tx.rows(sql`select tenant_id as id from cell.data_key`))
      assert.deepEqual(ids, [{ id: tenantId }])
    },
  },
  {
    name: 'nothing without a tenant',
    run: async (pool) => assert.deepEqual(await readAs(pool, {}, (tx) => tx.rows(sql`select id from cell.tenant`)), []),
  },
  {
    name: 'a tenant that is not here',
    run: async (pool, tenantId) => {
      const error = await readAs(pool, { tenantId }, (tx) => tx.rows(sql`select id from cell.tenant`), '2').then(
        () => undefined,
        (rejection: Error) => rejection,
      )
      if (error?.message === 'not in a lane') throw error
      assert.equal((error as { code?: string } | undefined)?.code, 'IT001')
    },
  },
  {
    name: 'a statement that fails between others',
    run: (pool, tenantId) =>
      assert.rejects(
        readAs(pool, { tenantId }, (tx) =>
          Promise.all([
            tx.rows(sql`select id from cell.tenant`),
            tx.rows(sql`select 1 / ${0}::int as failed`),
            tx.rows(sql`select id from cell.tenant`),
          ]),
        ),
        { message: 'not in a lane' },
      ),
  },
  {
    name: 'a statement that cannot be prepared',
    run: (pool, tenantId) =>
      assert.rejects(
        readAs(pool, { tenantId }, (tx) => tx.rows(sql`select missing from cell.tenant`)),
        { message: 'not in a lane' },
      ),
  },
  {
    name: 'a statement that no connection has prepared',
    run: async (pool, tenantId) => {
      const column = raw(`"column ${Math.floor(Math.random() * 500)}"`)
      const rows = await readAs(pool, { tenantId }, (tx) =>
        tx.rows<object>(sql`select id as ${column} from cell.tenant`),
      )
      assert.deepEqual(rows.map(Object.values), [[tenantId]])
    },
  },
  {
    name: 'an attempt to write',
    run: (pool, tenantId) =>
      assert.rejects(
        readAs(pool, { tenantId }, (tx) =>
          tx.rows(sql`update cell.tenant set account_count = 7 where id = ${tenantId}`),
        ),
        { message: 'not in a lane' },
      ),
  },
  {
    name: 'what the read of a tenant leaves behind',
    run: async (pool, tenantId) => {
      await readAs(pool, { tenantId }, (tx) => tx.rows(sql`select id from cell.tenant`)).then((rows) =>
        assert.deepEqual(rows, [{ id: tenantId }]),
      )
      const left = await readAs(pool, {}, (tx) =>
        tx.row<{ id: string | null }>(sql`select nullif(current_setting('app.tenant_id', true), '') as id`),
      )
      assert.deepEqual(left, { id: null })
    },
  },
]

function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item
}
