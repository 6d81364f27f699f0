import { metrics, type ObservableResult } from '@opentelemetry/api'
import type pg from 'pg'
import type { Logger } from '../../platform/base/log.ts'
import { logFailure } from '../../platform/base/log-failure.ts'
import { type RunningLoop, runLoop } from '../../platform/base/run-loop.ts'
import { type Chain, NodesDisagree, WrongChain } from '../chain/chain.ts'
import { stopMintingOnChain } from '../reconciliation/stop-minting-on-chain.ts'
import type { ApplyContext } from './apply-logs.ts'
import { ChainIndexer, FinalityViolation } from './chain-indexer.ts'
import { CursorMoved } from './cursor.sql.ts'
import { IndexerLease } from './indexer-lease.sql.ts'

const pauseMs = 500

/**
 * starting   before the first run.
 * following  this process has the lease and has read up to the head.
 * standby    another process has the lease.
 * retrying   the last run failed: the node or the database is unavailable.
 * rejected   a node belongs to another chain, or the nodes disagree on a finalized block; continues once they do not.
 * stopped    the chain replaced a finalized block; an operator has to intervene.
 */
type FollowState = 'starting' | 'following' | 'standby' | 'retrying' | 'rejected' | 'stopped'

export interface FollowedChain extends RunningLoop {
  readonly chain: string
  readonly cell: string
  state(): FollowState
  lag(): Lag
}

export interface Lag {
  readonly blocks: number
  readonly seconds: number
  /** Number of tokens that are being backfilled. */
  readonly backfilling: number
}

/** Indexes a chain for a cell until it is stopped. One of any number of processes does so at a time. */
export function followChain(
  chain: Chain,
  { cell, pool }: { cell: string; pool: pg.Pool },
  context: ApplyContext,
): FollowedChain {
  const log = context.log.child({ chain: chain.name, cell })
  const stopping = new AbortController()
  const lease = new IndexerLease(pool, chain.name, log)
  const indexer = new ChainIndexer(chain, pool, { ...context, log }, stopping.signal)
  let state: FollowState = 'starting'
  const become = (next: FollowState) => {
    if (next !== state) log.info({ status: next }, 'indexer state changed')
    state = next
  }
  const run = async () => {
    try {
      if (!(await lease.acquireOrConfirm())) return become('standby')
      await indexer.readToHead()
      become('following')
    } catch (error) {
      if (stopping.signal.aborted) return
      become(stateAfter(error, state, log))
      if (error instanceof NodesDisagree)
        await logFailure(log, 'minting could not be stopped', () => stopMintingOnChain(pool, context, chain.name))
    }
  }
  const following = runLoop(pauseMs, run)
  const followed: FollowedChain = {
    chain: chain.name,
    cell,
    state: () => state,
    lag: () => lagOf(indexer.progress),
    stop: async () => {
      stopping.abort()
      await following.stop()
      lease.release()
      observed.delete(followed)
    },
  }
  observed.add(followed)
  return followed
}

/** The state after a failed run. An error that continues is logged once. */
function stateAfter(error: unknown, state: FollowState, log: Logger): FollowState {
  // The next run starts from the new cursor.
  if (error instanceof CursorMoved) return state
  if (error instanceof FinalityViolation) {
    if (state !== 'stopped') log.error({ err: error }, 'the chain replaced a finalized block: indexing has stopped')
    return 'stopped'
  }
  if (error instanceof WrongChain || error instanceof NodesDisagree) {
    if (state !== 'rejected') log.error({ err: error }, 'the nodes of the chain cannot be trusted: nothing is indexed')
    return 'rejected'
  }
  log.warn({ err: error }, 'the chain could not be indexed; retrying')
  return 'retrying'
}

function lagOf(progress: ChainIndexer['progress']): Lag {
  if (!progress) return { blocks: 0, seconds: 0, backfilling: 0 }
  const { head, indexed, backfilling } = progress
  const blocks = Math.max(0, Number(head.number - indexed.number))
  const difference = indexed.timestamp ? (head.timestamp.getTime() - indexed.timestamp.getTime()) / 1000 : 0
  return { blocks, seconds: blocks > 0 ? Math.max(0, difference) : 0, backfilling }
}

const observed = new Set<FollowedChain>()

const meter = metrics.getMeter('indexer')
for (const [name, description, read] of [
  ['indexer_lag_blocks', 'Blocks between the indexer and the head of the chain', (one) => one.lag().blocks],
  ['indexer_lag_seconds', 'Time between the last indexed block and the head', (one) => one.lag().seconds],
  ['indexer_backfilling_tokens', 'Tokens that are being backfilled', (one) => one.lag().backfilling],
  ['indexer_stopped', '1 if the chain replaced a finalized block', (one) => Number(one.state() === 'stopped')],
] as const satisfies [string, string, (one: FollowedChain) => number][])
  meter.createObservableGauge(name, { description }).addCallback((result: ObservableResult) => {
    // A process on standby does not read the head; the process with the lease reports it.
    for (const one of observed)
      if (one.state() !== 'standby') result.observe(read(one), { chain: one.chain, cell: one.cell })
  })
