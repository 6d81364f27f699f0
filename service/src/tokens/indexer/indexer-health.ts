import type { Health } from '../../platform/api/server/health.ts'
import type { FollowedChain } from './follow-chain.ts'

// Two epochs of Ethereum. An indexer that is behind finality shows no pending transactions.
const lagBlocksMax = 64

/** Reports whether a process indexes its chains. A stopped chain is an outage: no other process can continue. */
export function indexerHealth(chains: readonly FollowedChain[]): Health {
  const checks = Object.fromEntries(chains.map((one) => [`chain ${one.chain}, cell ${one.cell}`, describe(one)]))
  if (chains.some((one) => one.state() === 'stopped')) return { status: 'unavailable', checks }
  if (chains.every(isHealthy)) return { status: 'ready', checks }
  return { status: chains.some(isHealthy) ? 'degraded' : 'unavailable', checks }
}

function isHealthy(one: FollowedChain): boolean {
  const { blocks, backfilling } = one.lag()
  return one.state() === 'standby' || (one.state() === 'following' && blocks <= lagBlocksMax && backfilling === 0)
}

function describe(one: FollowedChain): string {
  const { blocks, seconds, backfilling } = one.lag()
  const behind = blocks > 0 ? `, ${blocks} blocks and ${seconds.toFixed(0)} s behind` : ''
  return `${one.state()}${behind}${backfilling > 0 ? `, backfilling ${backfilling} tokens` : ''}`
}
