import { type Tally, tallyEffects } from './exactly-once.ts'
import { KeyedWriters } from './keyed-writers.ts'
import type { MoveWorld } from './move-world.ts'
import { seededRandom } from './seeded-random.ts'
import type { RunningApi } from './service.ts'
import { until } from './wait.ts'

export interface MoveDrill {
  readonly moves: readonly { readonly pauseMs: number; readonly gapMs: number; readonly tablesCompared: number }[]
  readonly writers: KeyedWriters
  readonly tally: Tally
}

/**
 * A tenant with many events moves from main to east and back while clients write with keys. Nothing that was acknowledged
 * may be lost, nothing may happen twice, and events must be numbered without a gap.
 */
export async function runMoveDrill(
  world: MoveWorld,
  api: RunningApi,
  { events, writes, seed, report }: { events: number; writes: number; seed: number; report: (line: string) => void },
): Promise<MoveDrill> {
  const writers = await KeyedWriters.create(world.installation, seededRandom(seed), { clients: 6, pauseMsMax: 50 })
  try {
    const moves = await moveAndReturn(world, api, writers, { events, report })
    await until(`there were ${writes} writes`, () => writers.acknowledgedAt.length >= writes, 240_000)
    return { moves, writers, tally: await judgeWriters(world, writers, 'main') }
  } finally {
    writers.abort()
  }
}

async function moveAndReturn(
  world: MoveWorld,
  api: RunningApi,
  writers: KeyedWriters,
  { events, report }: { events: number; report: (line: string) => void },
): Promise<MoveDrill['moves']> {
  const { tenantId } = writers
  await world.rows('main', addEvents, [tenantId, events])
  await until('the events are numbered', async () => (await eventsIn(world, 'main', tenantId)).head >= events, 120_000)
  writers.setTargets([api.baseUrl])
  await writers.start()
  await acknowledges(writers, 50)
  const moves: MoveDrill['moves'][number][] = []
  for (const target of [['--to', 'east'], ['--back']]) {
    const startedAt = performance.now()
    const { code, printed, text } = await world.maintain(['move-tenant', '--tenant', tenantId, ...target])
    if (code !== 0) throw new Error(text)
    await acknowledges(writers, 60)
    const times = writers.acknowledgedAt.filter((at) => at > startedAt)
    const gapMs = Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)))
    const move = {
      pauseMs: Number(printed[0]?.['pause_ms']),
      gapMs,
      tablesCompared: Number(printed[0]?.['tables_compared']),
    }
    moves.push(move)
    report(`${target.join(' ')}: writes waited ${move.pauseMs} ms, longest gap ${Math.round(gapMs)} ms`)
  }
  return moves
}

export async function acknowledges(writers: KeyedWriters, count: number): Promise<void> {
  const wanted = writers.acknowledgedAt.length + count
  await until(`${count} writes are acknowledged`, () => writers.acknowledgedAt.length >= wanted, 120_000)
}

/** Stops the clients. Every key must have one effect and one response, and events no gap in their numbers. */
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
