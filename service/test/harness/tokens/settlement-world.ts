import assert from 'node:assert/strict'
import type pg from 'pg'
import { type Address, parseGwei } from 'viem'
import { recordPayment } from '../../../src/money/payments/operator/record-payment.ts'
import { systemClock } from '../../../src/platform/base/clock.ts'
import { createLogger } from '../../../src/platform/base/log.ts'
import { createAccount } from '../../../src/sales/accounts/create-account.ts'
import { createOrder } from '../../../src/sales/orders/create-order.ts'
import { recheckAccount } from '../../../src/sales/orders/recheck-orders.job.ts'
import { checkAllAttachedTokens } from '../../../src/tokens/attached-tokens/check-attached-tokens.ts'
import { Chain } from '../../../src/tokens/chain/chain.ts'
import { chainOpHandlers } from '../../../src/tokens/chain-op-handlers.ts'
import { advanceDueOps } from '../../../src/tokens/chain-ops/advance-chain-ops.ts'
import type { ChainOpContext } from '../../../src/tokens/chain-ops/chain-op-context.ts'
import { ChainIndexer } from '../../../src/tokens/indexer/chain-indexer.ts'
import { CursorMoved } from '../../../src/tokens/indexer/cursor.sql.ts'
import { planAllMinting } from '../../../src/tokens/minting/plan-minting.ts'
import type { Signers } from '../../../src/tokens/signers/signers.ts'
import { DirectOperations } from '../callers/operations.ts'
import type { PacedChain } from '../chain/paced-chain.ts'
import { readToken } from '../chain/read-token.ts'
import { createTestSigner, openTestSigners } from '../chain/test-signers.ts'
import { individual } from '../data/bodies.ts'
import { Fixtures, type Party } from '../data/fixtures.ts'
import { ownerRows } from '../installation/database.ts'
import type { TestInstallation } from '../installation/test-installation.ts'

/** A tenant that can mint: a signer with gas, an open offering on the chain, and investors with proven wallets. */
export class SettlementWorld {
  readonly installation: TestInstallation
  readonly chain: PacedChain
  readonly direct: DirectOperations
  readonly tenantId: string
  readonly offeringId: string
  readonly signer: Address
  readonly fixtures: Fixtures
  /** Database of the tenant's cell, which changes when the tenant moves. */
  url: string
  #pool: pg.Pool | undefined
  #indexer: ChainIndexer | undefined

  private constructor(
    installation: TestInstallation,
    chain: PacedChain,
    made: { tenantId: string; offeringId: string; signer: Address; url: string },
  ) {
    this.installation = installation
    this.chain = chain
    this.direct = new DirectOperations(installation, made.tenantId)
    this.url = made.url
    this.fixtures = new Fixtures(installation, made.url)
    this.tenantId = made.tenantId
    this.offeringId = made.offeringId
    this.signer = made.signer
  }

  static async create(
    installation: TestInstallation,
    chain: PacedChain,
    { signers, admin, cell = 'main' }: { signers?: Signers; admin?: Address; cell?: string } = {},
  ): Promise<SettlementWorld> {
    const { config } = installation
    const url = config.cells.get(cell) ?? config.databaseUrl
    const tenantId = await installation.createTenant('S', { cell })
    const created = await createTestSigner(installation, tenantId, {
      ...(signers && { signers }),
      ...(admin && { admin }),
    })
    if (!created) throw new Error('the tenant already has a signer')
    const { address: signer } = created
    await chain.fundGas(signer)
    const offeringId = await new Fixtures(installation, url).offering(tenantId, { blockchain: 'anvil' })
    return new SettlementWorld(installation, chain, { tenantId, offeringId, signer, url })
  }

  /** Returns the same tenant in another database, for example one that was restored from a backup. */
  on(installation: TestInstallation): SettlementWorld {
    return new SettlementWorld(installation, this.chain, { ...this, url: installation.config.databaseUrl })
  }

  /** Returns the same tenant and chain, for another of its offerings. */
  of(offeringId: string): SettlementWorld {
    return new SettlementWorld(this.installation, this.chain, {
      tenantId: this.tenantId,
      offeringId,
      signer: this.signer,
      url: this.url,
    })
  }

  /** Settings for workers and indexers that use this chain. */
  get settings(): Record<string, string> {
    return { CHAINS: `anvil=${this.chain.url}` }
  }

  /** Returns the context of the chain-op engine, for tests that run it without a worker process. */
  context(change: Partial<ChainOpContext> = {}): ChainOpContext {
    return {
      ...this.direct.databases,
      chains: new Map([['anvil', new Chain('anvil', this.chain.url)]]),
      signers: openTestSigners(this.installation),
      handlers: chainOpHandlers,
      clock: systemClock,
      log: createLogger('silent', 'test'),
      bumpAfterMs: 60_000,
      feeMax: parseGwei('500'),
      ...change,
    }
  }

  async end(): Promise<void> {
    const pool = this.#pool
    this.#pool = undefined
    await pool?.end()
  }

  #workerPool(): pg.Pool {
    this.#pool ??= this.workerPool()
    return this.#pool
  }

  /** Opens connections with the worker's role. The caller ends the pool. */
  workerPool(): pg.Pool {
    return this.installation.workerPool(this.url)
  }

  /** Creates an approved account without a wallet. */
  async account(): Promise<string> {
    const body = { ...individual, kyc: { status: 'APPROVED' } }
    return (await this.direct.run(createAccount, { body })).id
  }

  /** Creates an approved investor with a proven wallet on the chain. */
  async party(): Promise<Party> {
    return this.fixtures.party(this.tenantId, await this.account())
  }

  /** Creates an approved investor with a proven wallet on the chain. Returns the account's id. */
  async investor(): Promise<string> {
    return (await this.party()).accountId
  }

  /** Creates orders of one token each that are READYTOMINT. */
  async readyOrders(accountId: string, count: number): Promise<string[]> {
    const ids = await this.paidOrders(accountId, count)
    const payload = { tenant_id: this.tenantId, account_id: accountId }
    await recheckAccount.run(payload, { ...this.direct.databases, clock: systemClock })
    return ids
  }

  /** Creates orders of one token each that are PAID, without checking their mint preconditions. */
  async paidOrders(accountId: string, count: number): Promise<string[]> {
    const { offeringId } = this
    const ids: string[] = []
    for (let created = 0; created < count; created += 1) {
      const body = { account_id: accountId, units: '100000000' }
      const { id } = await this.direct.run(createOrder, { params: { offeringId }, body })
      const payment = { amount: '12.50', currency: 'EUR', reference: id, received_at: '2026-07-02T10:00:00Z' }
      await this.direct.run(recordPayment, { params: { orderId: id }, body: payment })
      ids.push(id)
    }
    return ids
  }

  async rows<Row = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> {
    const rows = await ownerRows(this.url, text, values)
    return rows as Row[]
  }

  /** Runs the worker's loops once, mines blocks and runs the indexer once. */
  async runCycle(context: ChainOpContext = this.context(), blocks = 1): Promise<void> {
    const pool = this.#workerPool()
    // Updates only the ops that are not due: updating all takes longer than the rest of the cycle.
    await this.rows(
      `update cell.chain_op set next_check_at = now() - interval '1 second'
       where state in ('QUEUED', 'RESERVED', 'SIGNED', 'MINED') and next_check_at > now() - interval '1 second'`,
    )
    await planAll(pool, context)
    await advanceDueOps(pool, context)
    if (blocks > 0) await this.chain.mine(blocks)
    await this.index()
  }

  async index(): Promise<void> {
    const { chains } = this.context()
    const chain = chains.get('anvil')
    if (!chain) throw new Error('the chain is not configured')
    const context = { ...this.direct.databases, log: createLogger('silent', 'test') }
    this.#indexer ??= new ChainIndexer(chain, this.#workerPool(), context)
    // Another indexer was faster; the next cycle reads again.
    await this.#indexer.readToHead().catch((error: unknown) => {
      if (!(error instanceof CursorMoved)) throw error
    })
  }

  /** Runs cycles until all orders are minted or cancelled. Each finalizes the transactions that were sent. */
  async settle(context?: ChainOpContext, cyclesMax = 60): Promise<void> {
    for (let cycle = 0; cycle < cyclesMax; cycle += 1) {
      await this.runCycle(context, 5)
      const { MINTED = 0, CANCELLED = 0, ...others } = await this.statuses()
      if (Object.keys(others).length === 0 && MINTED + CANCELLED > 0) return
    }
    throw new Error(`not settled: ${JSON.stringify(await this.statuses())} ${JSON.stringify(await this.ops())}`)
  }

  ops(): Promise<{ id: string; kind: string; state: string; nonce: string | null; failure: string | null }[]> {
    return this.rows(
      // Ops enqueued in one transaction have the same time.
      'select id, kind, state, nonce, failure from cell.chain_op where tenant_id = $1 order by created_at, nonce',
      [this.tenantId],
    )
  }

  /** Asserts that the chain, the orders and the balances agree on the number of minted orders, and none is MINTING. */
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

  /** Counts the orders that the chain has minted more than once. */
  async countMintedTwice(): Promise<number> {
    const [twice] = await this.rows<{ count: number }>(
      `select count(*)::int as count from (select order_id from cell.token_log where order_id is not null
       group by order_id having count(*) > 1) twice`,
    )
    return twice?.count ?? 0
  }

  /** Returns the number of the offering's orders in each status. */
  async statuses(): Promise<Record<string, number>> {
    const rows = await this.rows<{ status: string; count: number }>(
      'select status, count(*)::int as count from cell.token_order where offering_id = $1 group by 1 order by 1',
      [this.offeringId],
    )
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
  }

  /** Returns the total supply on the chain; 0 before the token is deployed. */
  supply(): Promise<bigint> {
    return this.#readToken(this.offeringId, 'totalSupply')
  }

  /** Returns the units of an address that cannot be transferred, of any offering. */
  frozen(offeringId: string, address: string): Promise<bigint> {
    return this.#readToken(offeringId, 'getFrozenTokens', [address])
  }

  /** Reads a number of a token, as of the head of the chain; 0 before it is deployed. */
  async #readToken(offeringId: string, functionName: string, args: unknown[] = []): Promise<bigint> {
    const [row] = await this.rows<{ token_address: Address | null }>(
      'select token_address from cell.offering where id = $1',
      [offeringId],
    )
    if (!row?.token_address) return 0n
    const isDeployed = await this.chain.client.getCode({ address: row.token_address })
    return isDeployed ? readToken<bigint>(this.chain, row.token_address, functionName, args) : 0n
  }
}

/** Runs the planning loops once. */
export async function planAll(cell: pg.Pool, context: ChainOpContext): Promise<void> {
  await planAllMinting(cell, context)
  await checkAllAttachedTokens(cell, context)
}
