import type { Health, HealthChecks } from '../../platform/api/server/health.ts'
import type { FollowedChain } from './follow-chain.ts'

// Two epochs of Ethereum: who is further behind than finality shows nothing of what is pending.
const lagBlocksMax = 64

/** Whether this process reads its chains. One that has stopped is an outage, since no other process would go on. */
export class IndexerHealth implements HealthChecks {
  readonly #chains: readonly FollowedChain[]
  #isDraining = false

  constructor(chains: readonly FollowedChain[]) {
    this.#chains = chains
  }

  drain(): void {
    this.#isDraining = true
  }

  isDraining(): boolean {
    return this.#isDraining
  }

  async check(): Promise<Health> {
    if (this.#isDraining) return { status: 'draining', checks: {} }
    const chains = this.#chains
    const checks = Object.fromEntries(chains.map((one) => [`chain ${one.chain}, cell ${one.cell}`, describe(one)]))
    if (chains.some((one) => one.state() === 'stopped')) return { status: 'unavailable', checks }
    if (chains.every(isWell)) return { status: 'ready', checks }
    return { status: chains.some(isWell) ? 'degraded' : 'unavailable', checks }
  }
}

function isWell(one: FollowedChain): boolean {
  const { blocks, joining } = one.lag()
  return one.state() === 'standby' || (one.state() === 'following' && blocks <= lagBlocksMax && joining === 0)
}

function describe(one: FollowedChain): string {
  const { blocks, seconds, joining } = one.lag()
  const behind = blocks > 0 ? `, ${blocks} blocks and ${seconds.toFixed(0)} s behind` : ''
  return `${one.state()}${behind}${joining > 0 ? `, reading the history of ${joining} tokens` : ''}`
}
