import type pg from 'pg'
import { type Address, decodeFunctionResult } from 'viem'
import { tokenAbi, tokenCall } from '../../src/tokens/chain/contracts.ts'
import { advanceAll } from '../../src/tokens/chain-ops/advance-chain-ops.ts'
import type { Settlement } from '../../src/tokens/chain-ops/settlement.ts'
import { PacedChain } from './paced-chain.ts'
import { TestInstallation } from './service.ts'
import { planAll, SettlementWorld } from './settlement-world.ts'

const roundsMax = 80

/** A world whose worker and indexer are the test itself: they work when it says so, until there is nothing left to do. */
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

  static async create(): Promise<SettledWorld> {
    const [installation, chain] = await Promise.all([TestInstallation.create(), PacedChain.start()])
    return new SettledWorld(installation, chain, await SettlementWorld.create(installation, chain))
  }

  async end(): Promise<void> {
    await this.pool.end()
    await this.world.end()
    await this.chain.stop()
    await this.installation.end()
  }

  /** So many minted orders, each of a holder of its own: their addresses. */
  async minted(orders: number): Promise<Address[]> {
    for (let one = 0; one < orders; one += 1) await this.world.readyOrders(await this.world.investor(), 1)
    await this.settle()
    const rows = await this.world.rows<{ address: Address }>(
      `select distinct public_address as address from cell.wallet join cell.token_order on mint_wallet_id = wallet.id
       where token_order.status = 'MINTED'`,
    )
    return rows.map(({ address }) => address)
  }

  /** Looks once at everything that is open, whether it is due or not. */
  async look(settlement: Settlement = this.world.settlement()): Promise<void> {
    await this.world.rows('update cell.chain_op set look_at = now()')
    await advanceAll(this.pool, settlement)
  }

  /** Until no op is open and no order waits for one. */
  async settle(settlement: Settlement = this.world.settlement()): Promise<void> {
    for (let round = 0; round < roundsMax; round += 1) {
      await planAll(this.pool, settlement)
      await this.look(settlement)
      await this.chain.mine(2)
      await this.index()
      const open = await this.world.rows(`
        select from cell.chain_op where state in ('QUEUED', 'RESERVED', 'SIGNED', 'MINED')
        union all select from cell.token_order where status = 'MINTING'
        union all select from cell.token_order join cell.offering on offering.id = offering_id
        where token_order.status = 'READYTOMINT' and held_reason is null and minting_stopped is null`)
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
    if (!row) throw new Error('there is no offering')
    return row.address
  }

  /** What the token itself says, now or at a block. */
  async ask<Result>(functionName: string, args: unknown[] = [], blockNumber?: bigint): Promise<Result> {
    const { to, data } = tokenCall(await this.token(), functionName, args)
    const { data: result = '0x' } = await this.chain.client.call({
      to,
      data,
      ...(blockNumber === undefined ? {} : { blockNumber }),
    })
    return decodeFunctionResult({ abi: tokenAbi, functionName, data: result }) as Result
  }

  /** A transaction of anybody at all: the node signs for whom it is told to. */
  async sendAs(from: Address, { to, data }: { to: Address; data: string }): Promise<string> {
    await this.chain.giveGasMoney(from)
    await this.chain.rpc('anvil_impersonateAccount', from)
    const hash = await this.chain.rpc('eth_sendTransaction', { from, to, data, gas: '0x7a1200' })
    await this.chain.rpc('anvil_stopImpersonatingAccount', from)
    return hash as string
  }
}
