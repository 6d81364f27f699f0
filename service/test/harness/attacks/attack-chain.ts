import type { Address, Hex } from 'viem'
import { tokenCall } from '../../../src/tokens/chain/contracts.ts'
import { PacedChain } from '../chain/paced-chain.ts'
import { readToken } from '../chain/read-token.ts'
import type { RunningProcess } from '../installation/process.ts'
import { SettlementWorld } from '../tokens/settlement-world.ts'
import { until } from '../wait.ts'
import type { AttackStack } from './attack-stack.ts'

const mintedMsMax = 90_000

/** A tenant whose worker mints on a local chain, with an order that is ready to mint. */
export class ChainUnderAttack {
  readonly world: SettlementWorld
  readonly chain: PacedChain
  readonly accountId: string
  readonly #isShared: boolean
  #processes: RunningProcess[] = []

  private constructor(world: SettlementWorld, accountId: string, isShared: boolean) {
    this.world = world
    this.chain = world.chain
    this.accountId = accountId
    this.#isShared = isShared
  }

  /** Creates the tenant. Without a shared chain, the attack has its own, which mines only when asked. */
  static async create({ installation }: AttackStack, shared?: PacedChain) {
    const chain = shared ?? (await PacedChain.start())
    const world = await SettlementWorld.create(installation, chain)
    const accountId = await world.investor()
    await world.readyOrders(accountId, 1)
    return new ChainUnderAttack(world, accountId, shared !== undefined)
  }

  /** Runs an attack on a new tenant whose worker and indexer share the chain of the stack. */
  static async whileRunning<Result>(
    stack: AttackStack,
    attack: (attacked: ChainUnderAttack) => Promise<Result>,
  ): Promise<Result> {
    const attacked = await ChainUnderAttack.create(stack, await stack.chain())
    try {
      await Promise.all([attacked.startWorker(), attacked.startIndexer()])
      return await attack(attacked)
    } finally {
      await attacked.end()
    }
  }

  async startWorker(): Promise<void> {
    this.#processes.push(await this.world.installation.startWorkerProcess(this.world.settings))
  }

  async startIndexer(): Promise<void> {
    this.#processes.push(await this.world.installation.startIndexerProcess(this.world.settings))
  }

  async end(): Promise<void> {
    await Promise.all(this.#processes.map((running) => running.kill()))
    await this.world.end()
    if (!this.#isShared) await this.chain.stop()
  }

  /** Waits until the order is minted. Returns the token, and the wallet that received it. */
  async minted(): Promise<{ token: Address; holder: Address; walletId: string }> {
    const isMinted = async () => (await this.world.statuses())['MINTED'] === 1
    await until('the order is minted', isMinted, mintedMsMax)
    const [row] = await this.world.rows<{ token: Address; holder: Address; walletId: string }>(
      `select offering.token_address as token, wallet.public_address as holder, wallet.id as "walletId"
       from cell.offering, cell.wallet where offering.id = $1 and wallet.account_id = $2`,
      [this.world.offeringId, this.accountId],
    )
    if (!row) throw new Error('the order has no wallet')
    return row
  }

  /** Returns the transactions that the signer has signed, even if the chain does not have them. */
  signedTransactions(): Promise<{ raw: Hex }[]> {
    return this.world.rows('select raw from cell.chain_tx where tenant_id = $1 and raw is not null', [
      this.world.tenantId,
    ])
  }

  readToken<Result>(token: Address, functionName: string, args: unknown[] = []): Promise<Result> {
    return readToken<Result>(this.chain, token, functionName, args)
  }

  /** Returns true if this call would succeed from any address: the power of a stolen key. */
  async wouldSucceed(from: Address, token: Address, functionName: string, args: unknown[]): Promise<boolean> {
    return this.chain.client.call({ account: from, ...tokenCall(token, functionName, args) }).then(
      () => true,
      () => false,
    )
  }
}
