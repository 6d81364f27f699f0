import type { Writable } from 'node:stream'
import type pg from 'pg'
import type { Logger } from '../../base/log.ts'
import { counter } from '../../base/metric.ts'
import { isSuperseded } from '../check-server.ts'
import type { PreparedStatement } from '../sql.ts'
import { isNotResident } from '../sql-errors.ts'
import { prepareStatement, type QueryResult, sendPrepared } from './batch.ts'

type Results = readonly QueryResult[]

/**
 * Sends the reads of all requests over a few connections, each with several reads in flight. A read is the identity of
 * its tenant and its statements under one Sync, which PostgreSQL runs as one implicit transaction: a snapshot without
 * `begin` and `commit`, read-only by a setting of the session. It leaves nothing behind for the next read: the identity
 * is a setting of its transaction, and an error ends only that transaction.
 *
 * Reads of one lane wait for each other, so a slow one must not be in front of others: those behind it are repeated on
 * the pool, and the lane gets no more until it is through. A read that fails here, for example because it takes longer
 * than a lane allows, is repeated there too: lanes make reads cheaper and change nothing else.
 */
export class ReadLanes {
  readonly #pool: pg.Pool
  readonly #database: string
  readonly #log: Logger
  readonly #lanes = new Set<Lane>()
  #timer: NodeJS.Timeout | undefined
  #isOpening = false
  #opensFrom = 0
  /** Times until which the reads of a tenant stay out of the lanes. */
  readonly #slowUntil = new Map<string, number>()

  /** `pool` opens connections with the settings of a lane, as many as there may be lanes. */
  constructor(pool: pg.Pool, database: string, log: Logger) {
    this.#pool = pool
    this.#database = database
    this.#log = log
    for (const reason of ['slow', 'failed', 'busy'] as const) this.#count(reason, 0)
  }

  /** Returns the results of the statements, without the result of the entry, which sets the identity. */
  read(
    entry: PreparedStatement,
    statements: readonly PreparedStatement[],
    { tenantId, onPool }: { tenantId: string | undefined; onPool: () => Promise<Results> },
  ) {
    const wasSlow = this.#wasSlow(tenantId)
    if (wasSlow) this.#count('slow', 1)
    const lane = wasSlow ? undefined : this.#pick()
    if (!lane) return onPool()
    const { promise, resolve, reject } = Promise.withResolvers<Results>()
    let repeated: Promise<Results> | undefined
    const repeat = (reason: 'slow' | 'failed') => {
      this.#count(reason, 1)
      repeated = onPool()
      return repeated
    }
    const flight: Flight = {
      tenantId,
      divert: () => {
        // If the pool cannot help either, the caller gets the response of the lane.
        if (!repeated) repeat('slow').then(resolve, () => {})
      },
    }
    lane.send(flight, [entry, ...statements]).then(
      ([, ...results]) => resolve(results),
      (error: unknown) => {
        if (isNotResident(error)) return reject(error)
        if (isOutdated(error)) this.#close(lane)
        return (repeated ?? repeat('failed')).then(resolve, reject)
      },
    )
    return promise
  }

  async end(): Promise<void> {
    for (const lane of this.#lanes) this.#close(lane)
    await this.#pool.end()
  }

  /** Picks the lane with the fewest reads in flight; undefined if all are slow, full or not open yet. */
  #pick(): Lane | undefined {
    let best: Lane | undefined
    for (const lane of this.#lanes)
      if (isSuperseded(lane.client)) this.#close(lane)
      else if (!lane.isSlow && lane.inFlight < (best?.inFlight ?? inFlightMax)) best = lane
    if ((best?.inFlight ?? inFlightMax) >= inFlightToOpen) void this.#open()
    if (!best) this.#count('busy', 1)
    return best
  }

  async #open(): Promise<void> {
    if (this.#isOpening || this.#lanes.size >= this.#pool.options.max || performance.now() < this.#opensFrom) return
    this.#isOpening = true
    try {
      const client = await this.#pool.connect()
      if (this.#pool.ending) return client.release(true)
      const lane = new Lane(client)
      this.#lanes.add(lane)
      lane.client.once('end', () => this.#close(lane))
      this.#timer ??= setInterval(() => this.#check(), checkMs).unref()
    } catch (error) {
      this.#opensFrom = performance.now() + retryMs
      // Reads then use the pool, which reports an unavailable database.
      this.#log.warn({ err: error, database: this.#database }, 'a lane for reads could not be opened')
    } finally {
      this.#isOpening = false
    }
  }

  #check(): void {
    const now = performance.now()
    for (const lane of this.#lanes) {
      const slow = lane.check(now)
      if (slow?.tenantId !== undefined) this.#slowUntil.set(slow.tenantId, now + slowMs)
      if (now - lane.usedAt > idleMs) this.#close(lane)
    }
  }

  /**
   * The pool limits how many connections a tenant's slow reads occupy. In a lane, each would delay the reads behind it,
   * including those of other tenants.
   */
  #wasSlow(tenantId: string | undefined): boolean {
    const until = tenantId === undefined ? undefined : this.#slowUntil.get(tenantId)
    if (tenantId === undefined || until === undefined) return false
    if (until > performance.now()) return true
    this.#slowUntil.delete(tenantId)
    return false
  }

  #close(lane: Lane): void {
    if (!this.#lanes.delete(lane)) return
    // It never returns to the pool. Reads in flight fail, and are repeated.
    lane.client.release(true)
    if (this.#lanes.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #count(reason: 'slow' | 'failed' | 'busy', value: number): void {
    poolReads.add(value, { database: this.#database, reason })
  }
}

/** One read in a lane. */
interface Flight {
  readonly tenantId: string | undefined
  /** Repeats the read on the pool; the first response counts. Safe to call twice. */
  divert(): void
}

/** One connection. PostgreSQL responds in the order in which reads were sent. */
class Lane {
  readonly client: pg.PoolClient
  readonly #stream: Writable
  readonly #flights: Flight[] = []
  readonly #prepared = new Set<string>()
  #isCorked = false
  #headAtLastCheck: Flight | undefined
  #isUsed = true
  /** True if the first read takes too long to have others behind it. */
  isSlow = false
  usedAt = performance.now()

  constructor(client: pg.PoolClient) {
    this.client = client
    this.#stream = (client as unknown as { connection: { stream: Writable } }).connection.stream
  }

  get inFlight(): number {
    return this.#flights.length
  }

  async send(flight: Flight, statements: readonly PreparedStatement[]): Promise<Results> {
    this.#cork()
    this.#isUsed = true
    this.#flights.push(flight)
    try {
      for (const statement of statements) this.#prepare(statement)
      return await sendPrepared(this.client, statements)
    } finally {
      this.#flights.splice(this.#flights.indexOf(flight), 1)
      if (flight === this.#headAtLastCheck) this.isSlow = false
    }
  }

  /**
   * Returns the first read if it is slow. Compares with the last check instead of a clock, so that a busy process does
   * not take a read for slow.
   */
  check(now: number): Flight | undefined {
    const [head, ...behind] = this.#flights
    this.isSlow = head !== undefined && head === this.#headAtLastCheck
    this.#headAtLastCheck = head
    if (this.#isUsed) this.usedAt = now
    this.#isUsed = head !== undefined
    if (!this.isSlow) return undefined
    for (const flight of behind) flight.divert()
    return head
  }

  /** Prepares under a separate Sync: a statement that is skipped because of an earlier error would not be prepared. */
  #prepare(statement: PreparedStatement): void {
    if (this.#prepared.has(statement.name)) return
    this.#prepared.add(statement.name)
    // The read that needs the statement fails as well.
    prepareStatement(this.client, statement).catch(() => this.#prepared.delete(statement.name))
  }

  /** Sends all messages of one turn of the event loop in one packet. */
  #cork(): void {
    if (this.#isCorked) return
    this.#isCorked = true
    this.#stream.cork()
    setImmediate(() => {
      this.#isCorked = false
      this.#stream.uncork()
    })
  }
}

/** Returns true if the columns of a statement have changed since the connection prepared it. It would keep failing. */
function isOutdated(error: unknown): boolean {
  return (error as { code?: unknown }).code === '0A000'
}

/** Lanes of each pool: another way to the same database. */
export const lanesOf = new WeakMap<pg.Pool, ReadLanes>()

export async function endWithLanes(pool: pg.Pool): Promise<void> {
  await Promise.all([pool.end(), lanesOf.get(pool)?.end()])
}

// PostgreSQL serves a read in under a millisecond, so one that is first in its lane at two checks in a row is slow.
const checkMs = 50
// A lane is opened only if reads would wait for others: an idle cell has one or none.
const inFlightToOpen = 2
// PostgreSQL serves them one after the other. Another connection would serve any further ones sooner.
const inFlightMax = 16
const idleMs = 30_000
const retryMs = 30_000
// Long enough that a tenant with many slow reads delays others only now and then.
const slowMs = 10_000

const poolReads = counter('db_pool_reads', {
  description:
    'Reads that took a connection of the pool although there are lanes: behind a `slow` statement, after one ' +
    '`failed` in its lane, or because all lanes were `busy` or not open yet',
  labels: ['database', 'reason'],
})
