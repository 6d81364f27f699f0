import type pg from 'pg'
import type { Address } from 'viem'
import { advanceDueOps } from '../../../src/tokens/chain-ops/advance-chain-ops.ts'
import type { ChainOpContext } from '../../../src/tokens/chain-ops/chain-op-context.ts'
import { PacedChain } from '../chain/paced-chain.ts'
import { readToken } from '../chain/read-token.ts'
import { TestInstallation } from '../installation/test-installation.ts'
import { planAll, SettlementWorld } from './settlement-world.ts'

const cyclesMax = 80

/** A SettlementWorld without processes: the test runs the steps of the worker and the indexer on demand. */
export class SettledWorld {
  readonly world: SettlementWorld
  readonly chain: PacedChain
  readonly pool: pg.Pool
  readonly installation: TestInstallation

  private constructor(installation: TestInstallation, chain: PacedChain, world: SettlementWorld) {
    this.installation = installation
    this.chain = chain
    this.world = world
    this.pool = world.workerPool()
  }

  /** Creates the world, by default in a new installation, with the tenant's signer as admin of its contracts. */
  static async create({ admin, on }: { admin?: Address; on?: TestInstallation } = {}): Promise<SettledWorld> {
    const [installation, chain] = await Promise.all([on ?? TestInstallation.create(), PacedChain.start()])
    const world = await SettlementWorld.create(installation, chain, { ...(admin && { admin }) })
    return new SettledWorld(installation, chain, world)
  }

  async end(): Promise<void> {
    await this.pool.end()
    await this.world.end()
    await this.chain.stop()
    await this.installation.end()
  }

  /** Mints one order for each of several new holders. Returns their addresses. */
  async minted(orders: number): Promise<Address[]> {
    for (let count = 0; count < orders; count += 1) await this.world.readyOrders(await this.world.investor(), 1)
    await this.settle()
    const rows = await this.world.rows<{ address: Address }>(
      `select distinct public_address as address from cell.wallet join cell.token_order on mint_wallet_id = wallet.id
       where token_order.status = 'MINTED'`,
    )
    return rows.map(({ address }) => address)
  }

  /** Advances all open chain ops, due or not. */
  async advanceOps(context: ChainOpContext = this.world.context()): Promise<void> {
    await this.world.rows('update cell.chain_op set next_check_at = now()')
    await this.advanceDue(context)
  }

  /** Advances the open chain ops that are due. */
  async advanceDue(context: ChainOpContext = this.world.context()): Promise<void> {
    await advanceDueOps(this.pool, context)
  }

  /** Plans, advances, mines and indexes until no chain op is open and no order waits for one. */
  async settle(context: ChainOpContext = this.world.context()): Promise<void> {
    for (let cycle = 0; cycle < cyclesMax; cycle += 1) {
      await planAll(this.pool, context)
      await this.advanceOps(context)
      await this.chain.mine(2)
      await this.index()
      const open = await this.world.rows(`
        select from cell.chain_op where state in ('QUEUED', 'RESERVED', 'SIGNED', 'MINED')
        union all select from cell.token_order where status = 'MINTING'
        union all select from cell.token_order join cell.offering on offering.id = offering_id
        where token_order.status = 'READYTOMINT' and mint_hold_reason is null and minting_stopped is null`)
      if (open.length === 0) return
    }
    throw new Error(JSON.stringify(await this.world.rows('select kind, state, failure from cell.chain_op')))
  }

  index(): Promise<void> {
    return this.world.index()
  }

  async token(): Promise<Address> {
    const [row] = await this.world.rows<{ address: Address }>(
      'select token_address as address from cell.offering where id = $1',
      [this.world.offeringId],
    )
    if (!row) throw new Error('the offering does not exist')
    return row.address
  }

  /** Calls a read function of the token, as of the head or of a block. */
  async readToken<Result>(functionName: string, args: unknown[] = [], blockNumber?: bigint): Promise<Result> {
    const at = blockNumber === undefined ? {} : { blockNumber }
    return readToken<Result>(this.chain, await this.token(), functionName, args, at)
  }

  /** Sends a transaction from any address; anvil needs no key for it. */
  async sendAs(from: Address, { to, data }: { to: Address; data: string }): Promise<string> {
    await this.chain.fundGas(from)
    await this.chain.rpc('anvil_impersonateAccount', from)
    const hash = await this.chain.rpc('eth_sendTransaction', { from, to, data, gas: '0x7a1200' })
    await this.chain.rpc('anvil_stopImpersonatingAccount', from)
    return hash as string
  }
}
