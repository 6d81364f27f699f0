import { metrics, type ObservableResult } from '@opentelemetry/api'
import type pg from 'pg'
import { type RunningLoop, runLoop } from '../../platform/base/run-loop.ts'
import type { Chain } from '../chain/chain.ts'
import type { ApplyContext } from './apply-logs.ts'
import { ChainIndexer, FinalityBroken } from './chain-indexer.ts'
import { CursorMoved } from './cursor.sql.ts'
import { IndexerLease } from './indexer-lease.sql.ts'

const pauseMs = 500

/** `standby`: another process reads this chain. `stopped`: the chain broke its own finality, a person has to look. */
type FollowState = 'starting' | 'following' | 'standby' | 'away' | 'stopped'

export interface FollowedChain extends RunningLoop {
  readonly chain: string
  readonly cell: string
  state(): FollowState
  lag(): Lag
}

export interface Lag {
  readonly blocks: number
  readonly seconds: number
  /** Tokens whose history is still being read. */
  readonly joining: number
}

/** Reads a chain for a cell for as long as the process lives. Of any number of processes one does so at a time. */
export function followChain(
  chain: Chain,
  { cell, pool }: { cell: string; pool: pg.Pool },
  context: ApplyContext,
): FollowedChain {
  const log = context.log.child({ chain: chain.name, cell })
  const stopping = new AbortController()
  const turn = new IndexerLease(pool, chain.name, log)
  const indexer = new ChainIndexer(chain, pool, { ...context, log }, stopping.signal)
  let state: FollowState = 'starting'
  const become = (next: FollowState) => {
    if (next !== state) log.info({ status: next }, 'reading the chain')
    state = next
  }
  const round = async () => {
    try {
      if (!(await turn.isMine())) return become('standby')
      await indexer.readToHead()
      become('following')
    } catch (error) {
      if (stopping.signal.aborted) return
      // The next round begins from where the chain, or somebody else's cursor, is by then.
      if (error instanceof CursorMoved) return
      if (error instanceof FinalityBroken) {
        if (state !== 'stopped') log.error({ err: error }, 'the chain has broken its finality: reading it has stopped')
        return become('stopped')
      }
      log.warn({ err: error }, 'the chain cannot be read; trying again')
      become('away')
    }
  }
  const following = runLoop(pauseMs, round)
  const followed: FollowedChain = {
    chain: chain.name,
    cell,
    state: () => state,
    lag: () => lagOf(indexer.progress),
    stop: async () => {
      stopping.abort()
      await following.stop()
      turn.release()
      unobserve(followed)
    },
  }
  observe(followed)
  return followed
}

function lagOf(progress: ChainIndexer['progress']): Lag {
  if (!progress) return { blocks: 0, seconds: 0, joining: 0 }
  const { head, indexed, joining } = progress
  const blocks = Math.max(0, Number(head.number - indexed.number))
  const apart = indexed.timestamp ? (head.timestamp.getTime() - indexed.timestamp.getTime()) / 1000 : 0
  return { blocks, seconds: blocks > 0 ? Math.max(0, apart) : 0, joining }
}

const observed = new Set<FollowedChain>()
const observe = (one: FollowedChain) => void observed.add(one)
const unobserve = (one: FollowedChain) => void observed.delete(one)

const meter = metrics.getMeter('indexer')
for (const [name, description, read] of [
  ['indexer_lag_blocks', 'Blocks of the chain that have not been read', (one) => one.lag().blocks],
  ['indexer_lag_seconds', 'Time between the last block that was read and the head', (one) => one.lag().seconds],
  ['indexer_joining_tokens', 'Tokens whose history is still being read', (one) => one.lag().joining],
  ['indexer_stopped', '1 where the chain broke its finality', (one) => Number(one.state() === 'stopped')],
] as const satisfies [string, string, (one: FollowedChain) => number][])
  meter.createObservableGauge(name, { description }).addCallback((result: ObservableResult) => {
    // A standby knows no head: the one who reads says it.
    for (const one of observed)
      if (one.state() !== 'standby') result.observe(read(one), { chain: one.chain, cell: one.cell })
  })
