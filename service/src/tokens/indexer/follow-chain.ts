import type pg from 'pg'
import type { Logger } from '../../platform/base/log.ts'
import { logFailure } from '../../platform/base/log-failure.ts'
import { observedGauge } from '../../platform/base/metric.ts'
import { type RunningLoop, runLoop } from '../../platform/base/run-loop.ts'
import { type Chain, NodesDisagree, WrongChain } from '../chain/chain.ts'
import { stopMintingOnChain } from '../reconciliation/stop-minting-on-chain.ts'
import type { ApplyContext } from './apply-logs.ts'
import { ChainIndexer, FinalityViolation } from './chain-indexer.ts'
import { CursorMoved } from './cursor.sql.ts'
import { IndexerLease } from './indexer-lease.sql.ts'
import { startCountingMintAlarms } from './mark-orders-minted.ts'

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
  /** Returns when it last read up to the head; undefined before the first time. */
  lastSuccessAt(): Date | undefined
}

export interface Lag {
  /** Blocks between the indexer and the last head that it has read. */
  readonly blocks: number
  /** Age of the indexed data. Grows while the chain cannot be read, because the head is then unknown. */
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
  const labels = { chain: chain.name, cell }
  const log = context.log.child(labels)
  startCountingMintAlarms(labels)
  const startedAt = performance.now()
  const stopping = new AbortController()
  const lease = new IndexerLease(pool, chain.name, log)
  const indexer = new ChainIndexer(chain, pool, { ...context, log, cell }, stopping.signal)
  let state: FollowState = 'starting'
  let lastSuccess: Date | undefined
  const become = (next: FollowState) => {
    if (next !== state) log.info({ status: next }, 'indexer state changed')
    state = next
  }
  const run = async (beat: () => void) => {
    indexer.onProgress = beat
    try {
      if (!(await lease.acquireOrConfirm())) return become('standby')
      await indexer.readToHead()
      lastSuccess = new Date()
      become('following')
    } catch (error) {
      if (stopping.signal.aborted) return
      become(stateAfter(error, state, log))
      if (error instanceof NodesDisagree)
        await logFailure(log, 'minting could not be stopped', () => stopMintingOnChain(pool, context, chain.name))
    }
  }
  const following = runLoop(`follow ${chain.name} for ${cell}`, pauseMs, run)
  const followed: FollowedChain = {
    chain: chain.name,
    cell,
    state: () => state,
    lag: () => lagOf(indexer.progress, startedAt),
    lastSuccessAt: () => lastSuccess,
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

/** Returns the state after a failed run. Logs an error that continues only once. */
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

function lagOf(progress: ChainIndexer['progress'], startedAt: number): Lag {
  // Runs follow each other closely, so a head that was read longer ago than this could not be read again.
  const unreadMs = performance.now() - (progress?.headReadAt ?? startedAt)
  const unreadSeconds = unreadMs > headFreshMs ? unreadMs / 1000 : 0
  if (!progress) return { blocks: 0, seconds: unreadSeconds, backfilling: 0 }
  const { head, indexed, backfilling } = progress
  const blocks = Math.max(0, Number(head.number - indexed.number))
  const difference = indexed.timestamp ? (head.timestamp.getTime() - indexed.timestamp.getTime()) / 1000 : 0
  return { blocks, seconds: unreadSeconds + (blocks > 0 ? Math.max(0, difference) : 0), backfilling }
}

const headFreshMs = 2_000

const observed = new Set<FollowedChain>()

/** Returns 1 only if the last run succeeded, so that no other figure is believed while the chain cannot be read. */
const isUp = (one: FollowedChain) => Number(one.state() === 'following')
const blocksBehind = (one: FollowedChain) => {
  const isHeadKnown = one.state() === 'following' || one.state() === 'stopped' || one.lastSuccessAt() === undefined
  const { blocks } = one.lag()
  return isHeadKnown && (blocks > 0 || one.lastSuccessAt()) ? blocks : undefined
}
const secondsOf = (time: Date | undefined) => (time ? time.getTime() / 1000 : undefined)

for (const [name, description, read] of [
  ['indexer_up', '1 if the last run read up to the head of the chain, 0 if it could not', isUp],
  [
    'indexer_lag_blocks',
    'Blocks between the indexer and the head of the chain; NaN while the head cannot be read',
    blocksBehind,
  ],
  [
    'indexer_lag_seconds',
    'Time between the last indexed block and the head, plus the time for which the head could not be read',
    (one) => one.lag().seconds,
  ],
  [
    'indexer_last_success_time_seconds',
    'When the indexer last read up to the head, in seconds since 1970',
    (one) => secondsOf(one.lastSuccessAt()),
  ],
  ['indexer_backfilling_tokens', 'Tokens that are being backfilled', (one) => one.lag().backfilling],
  ['indexer_stopped', '1 if the chain replaced a finalized block', (one) => Number(one.state() === 'stopped')],
] as const satisfies [string, string, (one: FollowedChain) => number | undefined][])
  observedGauge(name, {
    description: `${description}. A process on standby reports nothing`,
    labels: ['chain', 'cell'],
    read: (observe) => {
      for (const one of observed) {
        const value = one.state() === 'standby' ? undefined : read(one)
        if (value !== undefined) observe(value, { chain: one.chain, cell: one.cell })
      }
    },
  })
