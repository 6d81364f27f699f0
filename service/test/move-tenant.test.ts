import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { movePoints } from '../src/combined/moves/move-points.ts'
import { Placement } from '../src/platform/db/placement.ts'
import { sql } from '../src/platform/db/sql.ts'
import { inTenantTransaction } from '../src/platform/db/tenant-transaction.ts'
import { tallyEffects } from './harness/exactly-once.ts'
import { KeyedWriters } from './harness/keyed-writers.ts'
import { MoveWorld } from './harness/move-world.ts'
import { newSeed, seededRandom } from './harness/seeded-random.ts'
import type { RunningApi } from './harness/service.ts'
import { until } from './harness/wait.ts'

const eventsBefore = 20_000
/** Usually 50 to 200 ms; a switch that took 3 s would have undone itself. */
const pauseMsMax = 2_000

describe('a tenant that moves to another cell while it is served', () => {
  let world: MoveWorld
  let api: RunningApi

  before(async () => {
    world = await MoveWorld.create()
    api = await world.installation.startApi()
    await world.installation.startWorker()
  })
  after(() => world.end())

  const acknowledges = async (writers: KeyedWriters, count: number) => {
    const wanted = writers.acknowledgedAt.length + count
    await until(`${count} writes are acknowledged`, () => writers.acknowledgedAt.length >= wanted, 120_000)
  }

  /** All clients have finished: every key has one effect, and events are numbered without a gap. */
  async function assertExactlyOnce(writers: KeyedWriters, cell: string): Promise<void> {
    await writers.finish()
    await writers.replayAll()
    const { duplicates, lost, problems } = await tallyEffects(world.installation, writers, world.urlOf(cell))
    assert.deepEqual({ duplicates, lost, problems }, { duplicates: 0, lost: 0, problems: [] })
    await until('all events have a number and all jobs are done', async () => {
      const [row] = await world.rows<{ left: number }>(cell, waitingQuery, [writers.tenantId])
      return row?.left === 0
    })
    const [events] = await world.rows<Record<string, number>>(cell, eventsQuery, [writers.tenantId])
    assert.deepEqual(events, { first: 1, last: events?.['count'], count: events?.['count'], head: events?.['count'] })
  }

  test('loses and doubles no write, fails no request, and can move back', async (context) => {
    const seed = newSeed()
    context.diagnostic(`seed ${seed}`)
    const writers = await KeyedWriters.create(world.installation, seededRandom(seed), { clients: 6, pauseMsMax: 50 })
    const { tenantId } = writers
    await world.rows('main', addEvents, [tenantId, eventsBefore])
    await until('the events are numbered', async () => {
      const [row] = await world.rows<{ head: number }>('main', eventsQuery, [tenantId])
      return (row?.head ?? 0) >= eventsBefore
    })
    writers.setTargets([api.baseUrl])
    await writers.start()
    await acknowledges(writers, 50)
    for (const [index, target] of [['--to', 'east'], ['--back']].entries()) {
      const startedAt = performance.now()
      const moved = await world.maintain(['move-tenant', '--tenant', tenantId, ...target])
      assert.equal(moved.code, 0, moved.text)
      await acknowledges(writers, 60)
      const [result] = moved.printed
      const pauseMs = Number(result?.['pause_ms'])
      const times = writers.acknowledgedAt.filter((at) => at > startedAt)
      const gapMs = Math.max(...times.slice(1).map((at, at0) => at - (times[at0] ?? at)))
      context.diagnostic(`${target.join(' ')}: writes waited ${pauseMs} ms, longest gap ${Math.round(gapMs)} ms`)
      assert.ok(pauseMs <= pauseMsMax, `writes waited for ${pauseMs} ms`)
      assert.equal(result?.['epoch'], index + 2)
      assert.ok(Number(result?.['tables_compared']) >= 49)
    }
    await until('there were 300 writes', () => writers.acknowledgedAt.length >= 300, 120_000)
    await assertExactlyOnce(writers, 'main')
    context.diagnostic(`${writers.writes.length} writes, responses ${JSON.stringify(Object.fromEntries(writers.seen))}`)
    assert.deepEqual([writers.seen.get('503 unavailable'), writers.interrupted], [undefined, 0])
    const verified = await world.maintain(['verify-audit', '--tenant', tenantId])
    assert.equal(verified.code, 0, verified.text)
    const finished = await world.maintain(['finish-move', '--tenant', tenantId])
    assert.equal(finished.code, 0, finished.text)
  })

  test('is moved completely by a command that is killed at every step and run again', {
    timeout: 300_000,
  }, async () => {
    const random = seededRandom(newSeed())
    const writers = await KeyedWriters.create(world.installation, random, { cell: 'east', clients: 2, pauseMsMax: 50 })
    const { tenantId } = writers
    const frozen = await FrozenPlacement.of(world, tenantId)
    writers.setTargets([api.baseUrl])
    await writers.start()
    await acknowledges(writers, 10)
    const args = ['move-tenant', '--tenant', tenantId, '--to', 'west']
    for (const killAt of movePoints) {
      const { code, text } = await world.maintain(args, { killAt })
      assert.equal(code, null, `not killed at ${killAt}: ${text}`)
    }
    // The last point is after the move was complete.
    const again = await world.maintain(args)
    assert.match(again.text, /is in cell west already/)
    await acknowledges(writers, 10)
    await assertExactlyOnce(writers, 'west')
    await frozenProcessWritesNothing(frozen, tenantId)
    const finished = await world.maintain(['finish-move', '--tenant', tenantId])
    assert.equal(finished.code, 0, finished.text)
    const leftovers = await world.rows('east', 'select from cell.account where tenant_id = $1', [tenantId])
    assert.equal(leftovers.length, 0)
    const slots = await world.rows('east', 'select slot_name from pg_replication_slots')
    assert.deepEqual(slots, [])
  })

  /** It believes that the tenant is in the old cell, and never learns otherwise. */
  async function frozenProcessWritesNothing(frozen: FrozenPlacement, tenantId: string): Promise<void> {
    const before = await world.rows('east', 'select xmin, account_count from cell.tenant where id = $1', [tenantId])
    const writing = inTenantTransaction(
      { databases: world.installation.databases, placement: frozen },
      { tenantId, access: 'write' },
      (tx) => tx.rows(sql`update cell.tenant set account_count = account_count + 1 where id = ${tenantId}`),
    )
    await assert.rejects(writing, { name: 'DatabaseUnavailable' })
    const rows = await world.rows('east', 'select xmin, account_count from cell.tenant where id = $1', [tenantId])
    assert.equal(rows.length, 1, 'the copy that is left behind exists')
    assert.deepEqual(rows, before)
  }
})

/** A process whose cache is never invalidated and that cannot reach the directory. */
class FrozenPlacement extends Placement {
  static async of(world: MoveWorld, tenantId: string): Promise<FrozenPlacement> {
    const placement = new FrozenPlacement(world.installation.databases)
    await placement.cellOf(tenantId)
    return placement
  }

  override forget(): void {}
}

const waitingQuery = `
  select ((select count(*) from graphile_worker._private_jobs where payload ->> 'tenant_id' = $1::text and run_at <= now())
    + (select count(*) from cell.event_outbox where tenant_id = $1::uuid))::integer as left`

const eventsQuery = `
  select min(sequence)::integer as first, max(sequence)::integer as last, count(*)::integer as count,
         (select last_sequence::integer from cell.event_head where tenant_id = $1) as head
  from cell.event where tenant_id = $1`

const addEvents = `
  insert into cell.event_outbox (tenant_id, id, type, scope, version, data)
  select $1, gen_random_uuid(), 'account.updated', 'account.read', '2026-07-02',
         jsonb_build_object('account_id', gen_random_uuid())
  from generate_series(1, $2::bigint)`
