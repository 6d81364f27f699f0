import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { movePoints } from '../src/maintain/relocation/move-points.ts'
import { replicatedTables } from '../src/maintain/relocation/moved-tables.ts'
import { inTenantTransaction } from '../src/platform/postgres/cells/tenant-transaction.ts'
import { sql } from '../src/platform/postgres/sql.ts'
import { FrozenPlacement } from './harness/clusters/frozen-placement.ts'
import { acknowledges, judgeWriters, runMoveDrill } from './harness/clusters/move-drill.ts'
import { MoveWorld } from './harness/clusters/move-world.ts'
import { KeyedWriters } from './harness/faults/keyed-writers.ts'
import { newSeed, seededRandom } from './harness/seeded-random.ts'

const rowsBefore = { events: 20_000, orders: 2_000 }
/** Limit for the pause of writes. It usually takes 50 to 200 ms; a switch that took 3 s would have been undone. */
const pauseMsMax = 2_000

describe('a tenant that moves to another cell while it is served', async () => {
  const world = await MoveWorld.create()
  after(() => world.end())
  const api = await world.installation.startApi()
  await world.installation.startWorker()

  test('neither loses nor duplicates a write, fails no request, and can move back', async (context) => {
    const report = (line: string) => context.diagnostic(line)
    const seed = newSeed()
    report(`seed ${seed}`)
    const drill = await runMoveDrill(world, api, { ...rowsBefore, writes: 300, seed, report })
    const { moves, writers, tally } = drill
    report(`${writers.writes.length} writes, responses ${JSON.stringify(Object.fromEntries(writers.seen))}`)
    const { duplicates, lost, problems } = tally
    assert.deepEqual({ duplicates, lost, problems }, { duplicates: 0, lost: 0, problems: [] })
    assert.deepEqual(drill.problems, [])
    assert.deepEqual([writers.seen.get('503 unavailable'), writers.interrupted], [undefined, 0])
    for (const { pauseMs, tablesCompared } of moves) {
      assert.ok(pauseMs <= pauseMsMax, `writes waited for ${pauseMs} ms`)
      assert.equal(tablesCompared, replicatedTables.length)
    }
    const { tenantId } = writers
    const [location] = await world.rows('main', 'select cell, epoch::integer from directory.tenant where id = $1', [
      tenantId,
    ])
    assert.deepEqual(location, { cell: 'main', epoch: 3 })
    await world.maintained(['verify-audit', '--tenant', tenantId])
    const audited = await world.rows<{ cell: string }>('main', movesQuery, [tenantId])
    assert.deepEqual(audited, [{ cell: 'east' }, { cell: 'main' }])
    await world.maintained(['finish-move', '--tenant', tenantId])
  })

  test('is moved completely by a command that is killed at every step and run again', {
    timeout: 300_000,
  }, async (context) => {
    const random = seededRandom(newSeed())
    const writers = await KeyedWriters.create(world.installation, random, { cell: 'east', clients: 2, pauseMsMax: 50 })
    const { tenantId } = writers
    context.after(() => writers.abort())
    const frozen = await FrozenPlacement.of(world.installation.databases, tenantId)
    writers.setTargets([api.baseUrl])
    await writers.start()
    await acknowledges(writers, 10)
    const args = ['move-tenant', '--tenant', tenantId, '--to', 'west']
    for (const killAt of movePoints) {
      const { code, output } = await world.maintain(args, { killAt })
      assert.equal(code, null, `not killed at ${killAt}: ${output}`)
    }
    // The last point comes after the move is complete.
    const again = await world.maintain(args)
    assert.match(again.output, /is in cell west already/)
    await acknowledges(writers, 10)
    const { duplicates, lost, problems } = await judgeWriters(world, writers, 'west')
    assert.deepEqual({ duplicates, lost, problems }, { duplicates: 0, lost: 0, problems: [] })
    await frozenProcessWritesNothing(frozen, tenantId)
    await world.maintained(['finish-move', '--tenant', tenantId])
    const leftovers = await world.rows('east', 'select from cell.account where tenant_id = $1', [tenantId])
    assert.equal(leftovers.length, 0)
    const slots = await world.rows('east', 'select slot_name from pg_replication_slots')
    assert.deepEqual(slots, [])
  })

  /** Writes with a process that believes the tenant is in the old cell, and never learns otherwise. */
  async function frozenProcessWritesNothing(frozen: FrozenPlacement, tenantId: string): Promise<void> {
    const copied = await world.rows('east', 'select xmin, account_count from cell.tenant where id = $1', [tenantId])
    const writing = inTenantTransaction(
      { databases: world.installation.databases, placement: frozen },
      { tenantId, access: 'write' },
      (tx) => tx.rows(sql`update cell.tenant set account_count = account_count + 1 where id = ${tenantId}`),
    )
    await assert.rejects(writing, { name: 'DatabaseUnavailable' })
    const rows = await world.rows('east', 'select xmin, account_count from cell.tenant where id = $1', [tenantId])
    assert.equal(rows.length, 1, 'the copy that is left behind exists')
    assert.deepEqual(rows, copied)
  }
})

const movesQuery = `
  select after ->> 'cell' as cell from base.audit_log where tenant_id = $1 and action = 'tenant.moved' order by sequence`
