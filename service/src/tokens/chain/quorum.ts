/**
 * Makes several nodes of one chain act as one. No single node is believed:
 *
 * - A block counts if more than half of the nodes have it with the same hash: both of two, two of three.
 * - Logs, receipts and other data are read from a node that has the agreed finalized block. If it does not respond, the
 *   next one is called. Calls with the same result everywhere go to enough nodes, and are compared.
 * - Transactions are sent to all nodes.
 *
 * | state of a node | meaning                             | what follows                                              |
 * |-----------------|-------------------------------------|-----------------------------------------------------------|
 * | agrees          | has the agreed finalized block      | data is read from it                                      |
 * | behind          | has only finalized an earlier block | logged                                                    |
 * | away            | does not respond                    | logged                                                    |
 * | wrong chain     | belongs to another chain            | logged as an error                                        |
 * | disagrees       | has another finalized block         | logged as an error; without a majority NodesDisagree is   |
 * |                 |                                     | thrown, which stops minting                               |
 *
 * While too few nodes respond, every call throws ChainUnavailable: work waits, and continues by itself.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hash, Hex } from 'viem'
import type { Logger } from '../../platform/base/log.ts'
import { observedGauge } from '../../platform/base/metric.ts'
import {
  type Block,
  type BlockPosition,
  CallReverted,
  ChainUnavailable,
  type Node,
  type NodeCall,
  type Nodes,
  NodesDisagree,
  WrongChain,
} from './node.ts'

type NodeState = 'agrees' | 'behind' | 'away' | 'wrong chain' | 'disagrees'

// Data is read from nodes that agreed at most this long ago.
const agreementMs = 5_000
// Once enough nodes have responded, the others get this much more time; a late one is called again after the pause.
const patienceMs = 500
const awayMs = 10_000

export class NodeQuorum implements Nodes {
  readonly chain: string
  readonly #nodes: readonly Node[]
  readonly #needed: number
  readonly #log: Logger
  /** Nodes that did not respond, and when they are called again. */
  readonly #away = new Map<Node, number>()
  readonly #wrong = new Set<Node>()
  #states: ReadonlyMap<Node, NodeState> = new Map()
  #comparing: Promise<Block> | undefined
  #comparedAt = Number.NEGATIVE_INFINITY
  #finalized = -1n

  constructor(chain: string, nodes: readonly Node[], log: Logger) {
    this.chain = chain
    this.#nodes = nodes
    this.#needed = Math.floor(nodes.length / 2) + 1
    this.#log = log
    observed.add(this)
  }

  get states(): readonly NodeState[] {
    return [...this.#states.values()]
  }

  async call<Result>(run: NodeCall<Result>): Promise<Result> {
    let failure: unknown = this.#tooFew(0)
    for (const node of await this.#agreeing())
      try {
        return await node.call(run)
      } catch (error) {
        if (!(error instanceof ChainUnavailable)) throw error
        failure = error
      }
    throw failure
  }

  async callEqual(run: NodeCall<Hex>): Promise<Hex> {
    const results = await this.#ask(await this.#agreeing(), (node) => node.call(run))
    const majority = this.#majority(results, (result) => result)
    if (majority !== undefined) return majority
    if (results.size < this.#needed) throw this.#tooFew(results.size)
    throw this.#disagreement('the result of a call')
  }

  async callAll(run: NodeCall<unknown>): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.callAll(run)))
  }

  async block(position: BlockPosition): Promise<Block> {
    if (position === 'finalized') return this.#compare()
    const blocks = await this.#askAll((node) => node.block(position))
    const comparable = position === 'latest' ? await this.#atSameNumber(blocks) : blocks
    const agreed = this.#majority(comparable, ({ hash }) => hash)
    if (agreed) return agreed
    const numbers = [...comparable.values()].map(({ number }) => number)
    if (numbers.length < this.#needed) throw this.#tooFew(numbers.length)
    // Above the finalized block, nodes may differ for a moment.
    if (numbers.every((number) => number <= this.#finalized)) throw this.#disagreement(`block ${numbers[0]}`)
    throw new ChainUnavailable(`The nodes of ${this.chain} do not agree on block ${numbers[0]} yet.`)
  }

  async requireBlock({ number, hash }: { number: bigint; hash: Hash }): Promise<void> {
    const agreed = await this.block(number)
    if (agreed.hash === hash) return
    this.#log.error({ chain: this.chain, block: Number(number) }, 'a node returned data of a block that others lack')
    throw new ChainUnavailable(`A node of ${this.chain} has another block ${number} than the others.`)
  }

  async chainId(): Promise<number> {
    const [node] = await this.#agreeing()
    if (!node) throw this.#tooFew(0)
    return node.chainId()
  }

  async check(): Promise<void> {
    await this.#compare()
  }

  /** Returns the nodes that data is read from, in the order of the settings. */
  async #agreeing(): Promise<Node[]> {
    if (performance.now() - this.#comparedAt > agreementMs) await this.#compare()
    return this.#nodes.filter((node) => this.#states.get(node) === 'agrees')
  }

  /** Compares the finalized blocks of all nodes. Concurrent callers share one comparison. */
  #compare(): Promise<Block> {
    this.#comparing ??= this.#compareFinalized().finally(() => {
      this.#comparing = undefined
    })
    return this.#comparing
  }

  async #compareFinalized(): Promise<Block> {
    // If this fails, no earlier agreement counts.
    this.#comparedAt = Number.NEGATIVE_INFINITY
    const own = await this.#askAll((node) => node.block('finalized'))
    const now = performance.now()
    for (const node of this.#nodes)
      if (own.has(node)) this.#away.delete(node)
      else if ((this.#away.get(node) ?? 0) <= now) this.#away.set(node, now + awayMs)
    const comparable = own.size < this.#needed ? new Map<Node, Block>() : await this.#atSameNumber(own)
    const agreed = this.#majority(comparable, ({ hash }) => hash)
    const isConflict = new Set([...comparable.values()].map(({ hash }) => hash)).size > 1
    const states = new Map<Node, NodeState>()
    for (const node of this.#nodes) {
      const [block, compared] = [own.get(node), comparable.get(node)]
      if (!block) states.set(node, this.#wrong.has(node) ? 'wrong chain' : 'away')
      else if (compared) states.set(node, compared.hash === agreed?.hash || !isConflict ? 'agrees' : 'disagrees')
      else states.set(node, (await this.#isOnChainOf(comparable, agreed, block)) ? 'behind' : 'disagrees')
    }
    this.#report(states)
    if (!agreed && isConflict) throw this.#disagreement('a finalized block')
    if (!agreed) throw this.#tooFew(own.size < this.#needed ? own.size : comparable.size)
    this.#finalized = agreed.number
    this.#comparedAt = performance.now()
    return agreed
  }

  /** Returns true if a node that is behind has an earlier block of the agreed chain, or if that is unknown. */
  async #isOnChainOf(nodes: ReadonlyMap<Node, Block>, agreed: Block | undefined, behind: Block): Promise<boolean> {
    const trusted = this.#nodes.find((node) => agreed && nodes.get(node)?.hash === agreed.hash)
    const expected = await trusted?.block(behind.number).catch(() => undefined)
    return expected === undefined || expected.hash === behind.hash
  }

  /** Reads the blocks at the highest number that enough nodes have reached. */
  async #atSameNumber(blocks: ReadonlyMap<Node, Block>): Promise<Map<Node, Block>> {
    const numbers = [...blocks.values()].map(({ number }) => number).toSorted((one, other) => Number(other - one))
    const number = numbers[this.#needed - 1]
    if (number === undefined) throw this.#tooFew(blocks.size)
    const reached = this.#nodes.filter((node) => (blocks.get(node)?.number ?? -1n) >= number)
    return this.#ask(reached, async (node) => {
      const block = blocks.get(node)
      return block?.number === number ? block : node.block(number)
    })
  }

  /** Returns the answer that enough nodes give. */
  #majority<Answer>(answers: ReadonlyMap<Node, Answer>, keyOf: (answer: Answer) => string): Answer | undefined {
    const groups = Map.groupBy(answers.values(), keyOf)
    return [...groups.values()].find(({ length }) => length >= this.#needed)?.[0]
  }

  /** Calls all nodes except those that recently did not respond, or all if too few are left. */
  #askAll<Answer>(call: (node: Node) => Promise<Answer>): Promise<Map<Node, Answer>> {
    const now = performance.now()
    const present = this.#nodes.filter((node) => (this.#away.get(node) ?? 0) <= now)
    return this.#ask(present.length < this.#needed ? this.#nodes : present, call)
  }

  /** Calls these nodes. The result has no entry for a node that fails or is late. */
  async #ask<Answer>(nodes: readonly Node[], call: (node: Node) => Promise<Answer>): Promise<Map<Node, Answer>> {
    const answers = new Map<Node, Answer>()
    const enough = Promise.withResolvers<void>()
    const reverted = Promise.withResolvers<never>()
    const calls = nodes.map(async (node) => {
      try {
        answers.set(node, await call(node))
        this.#wrong.delete(node)
        if (answers.size >= this.#needed) enough.resolve()
      } catch (error) {
        if (error instanceof CallReverted) reverted.reject(error)
        if (error instanceof WrongChain) this.#wrong.add(node)
      }
    })
    const patience = enough.promise.then(() => sleep(patienceMs, undefined, { ref: false }))
    await Promise.race([Promise.all(calls), patience, reverted.promise])
    // A copy: a late answer must not change the result.
    return new Map(answers)
  }

  #tooFew(count: number): ChainUnavailable {
    return new ChainUnavailable(
      `${count} of ${this.#nodes.length} nodes of ${this.chain} respond, and ${this.#needed} must agree.`,
    )
  }

  #disagreement(subject: string): NodesDisagree {
    return new NodesDisagree(this.chain, `The nodes of ${this.chain} disagree on ${subject}.`)
  }

  /** Logs the nodes whose state has changed. Never their URLs, which may contain a key. */
  #report(states: ReadonlyMap<Node, NodeState>): void {
    for (const [index, node] of this.#nodes.entries()) {
      const state = states.get(node) ?? 'away'
      if (state === (this.#states.get(node) ?? 'agrees')) continue
      const problem = `node ${index + 1} of ${this.#nodes.length}: ${state}`
      this.#log[levels[state]]({ chain: this.chain, problem }, 'the state of a node has changed')
    }
    this.#states = states
  }
}

const levels = { agrees: 'info', behind: 'info', away: 'warn', 'wrong chain': 'error', disagrees: 'error' } as const

const observed = new Set<NodeQuorum>()

observedGauge('chain_nodes', {
  description: 'Nodes of a chain by state, if it has several',
  labels: ['chain', 'state'],
  read: (observe) => {
    for (const { chain, states } of observed)
      for (const state of Object.keys(levels)) observe(states.filter((one) => one === state).length, { chain, state })
  },
})
