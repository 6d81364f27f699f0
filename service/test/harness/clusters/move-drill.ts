import { addBulkOrders, countBulkOrders } from '../faults/bulk-orders.ts'
import { type Tally, tallyEffects } from '../faults/exactly-once.ts'
import { KeyedWriters, type WriterOptions } from '../faults/keyed-writers.ts'
import { MintingFeed, type MintTally } from '../faults/minting-feed.ts'
import type { RunningApi } from '../installation/running-api.ts'
import { seededRandom } from '../seeded-random.ts'
import { until } from '../wait.ts'
import { MoveTraffic } from './move-traffic.ts'
import type { MoveWorld } from './move-world.ts'

/** After a long drill, deliveries may be minutes behind. */
const checkMsMax = 600_000

export interface MoveDrill {
  readonly moves: readonly { readonly pauseMs: number; readonly gapMs: number; readonly tablesCompared: number }[]
  readonly writers: KeyedWriters
  readonly tally: Tally
  /** Other losses and errors: in webhooks, stream, statements or money. */
  readonly problems: readonly string[]
  /** Writes acknowledged per second while the tenant moved. */
  readonly writesPerSecond: number
}

interface MoveDrillOptions extends Pick<WriterOptions, 'clients' | 'perSecond' | 'buyers'> {
  readonly events: number
  readonly orders: number
  /** Least number of writes. */
  readonly writes: number
  readonly seed: number
  readonly report: (line: string) => void
}

/**
 * Moves a tenant with many events and orders from main to east and back while clients write with keys, webhooks are
 * delivered, and an operator follows the stream and imports statements. No acknowledged write may be lost or happen
 * twice, and events must be numbered without a gap.
 */
export async function runMoveDrill(world: MoveWorld, api: RunningApi, options: MoveDrillOptions): Promise<MoveDrill> {
  const { events, orders, writes, seed, report, ...more } = options
  const clients = { clients: 6, pauseMsMax: 50, ...more }
  const writers = await KeyedWriters.create(world.installation, seededRandom(seed), clients)
  const { tenantId, offeringId } = writers
  let traffic: MoveTraffic | undefined
  try {
    await world.rows('main', addEvents, [tenantId, events])
    const numbered = async () => (await eventsIn(world, 'main', tenantId)).head >= events
    await until('the events are numbered', numbered, 300_000)
    traffic = await MoveTraffic.create(world, writers, { orders })
    writers.setTargets([api.baseUrl])
    const accountIds = await writers.createBuyers()
    await addBulkOrders(world.urlOf('main'), { tenantId, offeringId, accountIds, orders })
    await writers.start()
    traffic.start()
    const startedAt = performance.now()
    const before = writers.acknowledged
    const moves = await moveAndReturn(world, writers, report)
    await until(`there were ${writes} writes`, () => writers.acknowledged >= writes, 240_000)
    const writesPerSecond = (writers.acknowledged - before) / ((performance.now() - startedAt) / 1_000)
    await writers.finish()
    const problems = await traffic.finish('main', checkMsMax)
    const found = await countBulkOrders(world.urlOf('main'), tenantId)
    if (found !== orders) problems.push(`${found} of ${orders} orders in bulk exist`)
    report(
      `${Math.round(writesPerSecond)} writes/s; ${traffic.deliveries} webhooks delivered, ${traffic.streamed} events ` +
        `streamed, ${traffic.statements} statements imported, ${traffic.repeatedUploads} uploads repeated`,
    )
    return { moves, writers, tally: await judgeWriters(world, writers, 'main'), problems, writesPerSecond }
  } finally {
    writers.abort()
    await traffic?.end()
  }
}

async function moveAndReturn(
  world: MoveWorld,
  writers: KeyedWriters,
  report: (line: string) => void,
): Promise<MoveDrill['moves']> {
  const { tenantId } = writers
  await acknowledges(writers, 50)
  const moves: MoveDrill['moves'][number][] = []
  for (const target of [['--to', 'east'], ['--back']]) {
    const startedAt = performance.now()
    const [printed] = await world.maintained(['move-tenant', '--tenant', tenantId, ...target])
    const seconds = (performance.now() - startedAt) / 1_000
    await acknowledges(writers, 60)
    const times = writers.acknowledgedAt.filter((at) => at > startedAt)
    const gapMs = times.slice(1).reduce((longest, at, index) => Math.max(longest, at - (times[index] ?? at)), 0)
    const move = {
      pauseMs: Number(printed.pause_ms),
      gapMs,
      tablesCompared: Number(printed.tables_compared),
    }
    moves.push(move)
    report(
      `${target.join(' ')}: took ${seconds.toFixed(0)} s, writes waited ${move.pauseMs} ms, longest gap ` +
        `${Math.round(gapMs)} ms`,
    )
  }
  return moves
}

/** Moves a tenant through cells and back while its orders are minted. Returns how long writes waited each time. */
export async function moveWhileMinting(world: MoveWorld, cells: readonly string[]): Promise<MintingMoves> {
  const feed = await MintingFeed.create(world.installation, 'main')
  try {
    await world.installation.startWorkerProcess(feed.settings)
    await world.installation.startIndexerProcess(feed.settings)
    feed.start()
    await feed.mints(2)
    const pauses: number[] = []
    for (const cell of cells) {
      for (const args of [['move-tenant', '--to', cell], ['finish-move']]) {
        const [printed] = await world.maintained([...args, '--tenant', feed.tenantId])
        if (args.length > 1) pauses.push(Number(printed.pause_ms))
      }
      feed.url = world.urlOf(cell)
      await feed.mints(2)
    }
    return { pauses, mints: await feed.finish() }
  } finally {
    await feed.end()
  }
}

export interface MintingMoves {
  readonly pauses: readonly number[]
  readonly mints: MintTally
}

export async function acknowledges(writers: KeyedWriters, count: number): Promise<void> {
  const wanted = writers.acknowledged + count
  await until(`${count} writes are acknowledged`, () => writers.acknowledged >= wanted, 120_000)
}

/** Stops the clients, and checks that every key has one effect and one response, and that event numbers have no gap. */
export async function judgeWriters(world: MoveWorld, writers: KeyedWriters, cell: string): Promise<Tally> {
  const { tenantId } = writers
  await writers.finish()
  await writers.replayAll()
  const tally = await tallyEffects(world.installation, writers, world.urlOf(cell))
  await until('all events have a number and all jobs are done', async () => {
    const [row] = await world.rows<{ left: number }>(cell, waitingQuery, [tenantId])
    return row?.left === 0
  })
  const { first, last, count, head } = await eventsIn(world, cell, tenantId)
  if (first !== 1 || last !== count || head !== count)
    tally.problems.push(`${count} events from ${first} to ${last}, but the last number is ${head}`)
  return tally
}

interface EventNumbers {
  readonly first: number
  readonly last: number
  readonly count: number
  readonly head: number
}

async function eventsIn(world: MoveWorld, cell: string, tenantId: string): Promise<EventNumbers> {
  const [row] = await world.rows<EventNumbers>(cell, eventsQuery, [tenantId])
  return row as EventNumbers
}

const waitingQuery = `
  select ((select count(*) from graphile_worker._private_jobs where payload ->> 'tenant_id' = $1::text and run_at <= now())
    + (select count(*) from cell.event_outbox where tenant_id = $1::uuid))::integer as left`

const eventsQuery = `
  select min(sequence)::integer as first, max(sequence)::integer as last, count(*)::integer as count,
         coalesce((select last_sequence::integer from cell.event_head where tenant_id = $1), 0) as head
  from cell.event where tenant_id = $1`

const addEvents = `
  insert into cell.event_outbox (tenant_id, id, type, scope, version, data)
  select $1, gen_random_uuid(), 'account.updated', 'account.read', '2026-07-02',
         jsonb_build_object('account_id', gen_random_uuid())
  from generate_series(1, $2::bigint)`
