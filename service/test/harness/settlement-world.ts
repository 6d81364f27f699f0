import assert from 'node:assert/strict'
import type pg from 'pg'
import { type Address, decodeFunctionResult, encodeFunctionData } from 'viem'
import { recordPayment } from '../../src/money/payments/operator/record-payment.ts'
import { systemClock } from '../../src/platform/base/clock.ts'
import { createLogger } from '../../src/platform/base/log.ts'
import { createPool } from '../../src/platform/db/pools.ts'
import { Vaults } from '../../src/platform/db/vault.ts'
import { createAccount } from '../../src/sales/accounts/create-account.ts'
import { checkMintPreconditions } from '../../src/sales/orders/check-mint-preconditions.job.ts'
import { createOrder } from '../../src/sales/orders/create-order.ts'
import { checkAllAttachedTokens } from '../../src/tokens/attached-tokens/check-attached-tokens.ts'
import { Chain } from '../../src/tokens/chain/chain.ts'
import { tokenAbi } from '../../src/tokens/chain/contracts.ts'
import { advanceAll } from '../../src/tokens/chain-ops/advance-chain-ops.ts'
import type { Settlement } from '../../src/tokens/chain-ops/settlement.ts'
import { ChainIndexer } from '../../src/tokens/indexer/chain-indexer.ts'
import { CursorMoved } from '../../src/tokens/indexer/cursor.sql.ts'
import { planAllMinting } from '../../src/tokens/minting/plan-minting.ts'
import { createSigner } from '../../src/tokens/signers/create-signer.ts'
import type { Pkcs11Module } from '../../src/tokens/signers/pkcs11-module.ts'
import { individual } from './bodies.ts'
import { Fixtures } from './fixtures.ts'
import { DirectOperations } from './operations.ts'
import type { PacedChain } from './paced-chain.ts'
import type { TestInstallation } from './service.ts'

/** A tenant that can settle: a signer with gas money, an open offering on the chain, investors with proven wallets. */
export class SettlementWorld {
  readonly installation: TestInstallation
  readonly chain: PacedChain
  readonly direct: DirectOperations
  readonly tenantId: string
  readonly offeringId: string
  readonly signer: Address
  readonly fixtures: Fixtures
  #pool: pg.Pool | undefined
  #indexer: ChainIndexer | undefined

  private constructor(
    installation: TestInstallation,
    chain: PacedChain,
    made: { tenantId: string; offeringId: string; signer: Address },
  ) {
    this.installation = installation
    this.chain = chain
    this.direct = new DirectOperations(installation, made.tenantId)
    this.fixtures = new Fixtures(installation)
    this.tenantId = made.tenantId
    this.offeringId = made.offeringId
    this.signer = made.signer
  }

  static async create(
    installation: TestInstallation,
    chain: PacedChain,
    module?: Pkcs11Module,
  ): Promise<SettlementWorld> {
    const tenantId = await installation.createTenant('S')
    const direct = new DirectOperations(installation, tenantId)
    const vaults = new Vaults(installation.config.dataMasterKeys)
    const made = await createSigner(direct.databases, { vaults, module }, { tenantId, chain: 'anvil' })
    if ('refused' in made) throw new Error(made.refused)
    const { address: signer } = made
    await chain.giveGasMoney(signer)
    const offeringId = await new Fixtures(installation).offering(tenantId, { blockchain: 'anvil' })
    return new SettlementWorld(installation, chain, { tenantId, offeringId, signer })
  }

  /** The same tenant in another database, such as one that was restored from a backup. */
  on(installation: TestInstallation): SettlementWorld {
    return new SettlementWorld(installation, this.chain, this)
  }

  /** The settings of processes that shall settle on this chain. */
  get settings(): Record<string, string> {
    return { CHAINS: `anvil=${this.chain.url}` }
  }

  /** A settlement inside the test, for what needs no process to die. */
  settlement(change: Partial<Settlement> = {}): Settlement {
    const { config } = this.installation
    return {
      ...this.direct.databases,
      chains: new Map([['anvil', new Chain('anvil', this.chain.url)]]),
      vaults: new Vaults(config.dataMasterKeys),
      clock: systemClock,
      log: createLogger('silent', 'test'),
      module: undefined,
      bumpAfterMs: 60_000,
      ...change,
    }
  }

  async end(): Promise<void> {
    await this.#pool?.end()
  }

  #workerPool(): pg.Pool {
    this.#pool ??= this.workerPool()
    return this.#pool
  }

  /** Connections with the worker's role, which the caller ends. */
  workerPool(): pg.Pool {
    const { config } = this.installation
    const place = { url: config.databaseUrl, role: 'investor_token_worker', cell: undefined } as const
    return createPool(place, config, createLogger('silent', 'test'))
  }

  /** An approved investor with a proven wallet on the chain. */
  async investor(): Promise<string> {
    const { id } = await this.direct.run(createAccount, { body: { ...individual, kyc: { status: 'APPROVED' } } })
    await this.fixtures.wallet(this.tenantId, id, { blockchain: 'anvil' })
    return id
  }

  /** So many orders of one token each that can be minted. */
  async readyOrders(accountId: string, count: number): Promise<string[]> {
    const ids = await this.paidOrders(accountId, count)
    const payload = { tenant_id: this.tenantId, account_id: accountId }
    await checkMintPreconditions.run(payload as never, { ...this.direct.databases, clock: systemClock } as never)
    return ids
  }

  /** So many orders that are paid and wait for their gates. */
  async paidOrders(accountId: string, count: number): Promise<string[]> {
    const { offeringId } = this
    const ids: string[] = []
    for (let one = 0; one < count; one += 1) {
      const body = { account_id: accountId, units: '100000000' }
      const { id } = await this.direct.run(createOrder, { params: { offeringId }, body })
      const payment = { amount: '12.50', currency: 'EUR', reference: id, received_at: '2026-07-02T10:00:00Z' }
      await this.direct.run(recordPayment, { params: { orderId: id }, body: payment })
      ids.push(id)
    }
    return ids
  }

  async rows<Row = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await this.installation.owner((client) => client.query(text, values))
    return rows as Row[]
  }

  /** What workers and indexers do again and again, here once: the test says when blocks come. */
  async round(settlement: Settlement = this.settlement(), blocks = 1): Promise<void> {
    const pool = this.#workerPool()
    await this.rows(`update cell.chain_op set look_at = now() - interval '1 second'`)
    await planAll(pool, settlement)
    await advanceAll(pool, settlement)
    if (blocks > 0) await this.chain.mine(blocks)
    await this.index()
  }

  async index(): Promise<void> {
    const { chains } = this.settlement()
    const chain = chains.get('anvil')
    if (!chain) throw new Error('there is no chain')
    const context = { ...this.direct.databases, log: createLogger('silent', 'test') }
    this.#indexer ??= new ChainIndexer(chain, this.#workerPool(), context)
    // Whatever has moved meanwhile is looked at again in the next round.
    await this.#indexer.readToHead().catch((error: unknown) => {
      if (!(error instanceof CursorMoved)) throw error
    })
  }

  /** Rounds until everything that was ordered is minted. */
  async settle(settlement?: Settlement, roundsMax = 60): Promise<void> {
    for (let round = 0; round < roundsMax; round += 1) {
      await this.round(settlement)
      const { MINTED = 0, CANCELLED = 0, ...others } = await this.statuses()
      if (Object.keys(others).length === 0 && MINTED + CANCELLED > 0) return
    }
    throw new Error(`not settled: ${JSON.stringify(await this.statuses())} ${JSON.stringify(await this.ops())}`)
  }

  ops(): Promise<{ id: string; kind: string; state: string; nonce: string | null; failure: string | null }[]> {
    return this.rows(
      'select id, kind, state, nonce, failure from cell.chain_op where tenant_id = $1 order by created_at',
      [this.tenantId],
    )
  }

  /** The chain, the orders and the balances say the same, and nothing is on its way. */
  async assertExact(minted: number): Promise<void> {
    const [sums] = await this.rows<{
      orders: string
      minting: number
      balances: string
      issued: string
      reserved: string
    }>(
      `select coalesce(sum(units) filter (where status = 'MINTED'), 0)::text as orders,
              count(*) filter (where status = 'MINTING')::int as minting,
              (select coalesce(sum(balance), 0)::text from cell.wallet_balance where offering_id = $1) as balances,
              (select issued_units::text from cell.offering where id = $1) as issued,
              (select reserved_units::text from cell.offering where id = $1) as reserved
       from cell.token_order where offering_id = $1`,
      [this.offeringId],
    )
    const units = String(BigInt(minted) * 100_000_000n)
    const supply = String(await this.supply())
    assert.deepEqual(
      { supply, ...sums },
      { supply: units, orders: units, minting: 0, balances: units, issued: units, reserved: sums?.reserved },
    )
  }

  /** How many orders of the offering are in each state. */
  async statuses(): Promise<Record<string, number>> {
    const rows = await this.rows<{ status: string; count: number }>(
      'select status, count(*)::int as count from cell.token_order where offering_id = $1 group by 1 order by 1',
      [this.offeringId],
    )
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
  }

  /** The supply that the token itself tells; 0 before there is a token. */
  async supply(): Promise<bigint> {
    const [row] = await this.rows<{ token_address: Address | null }>(
      'select token_address from cell.offering where id = $1',
      [this.offeringId],
    )
    if (!row?.token_address) return 0n
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'totalSupply' })
    const { data: result } = await this.chain.client.call({ to: row.token_address, data })
    return result ? (decodeFunctionResult({ abi: tokenAbi, functionName: 'totalSupply', data: result }) as bigint) : 0n
  }
}

/** One run of the loops that enqueue chain ops. */
export async function planAll(cell: pg.Pool, settlement: Settlement): Promise<void> {
  await planAllMinting(cell, settlement)
  await checkAllAttachedTokens(cell, settlement)
}
