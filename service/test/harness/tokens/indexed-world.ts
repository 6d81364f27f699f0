import assert from 'node:assert/strict'
import type pg from 'pg'
import type { Address } from 'viem'
import { createLogger } from '../../../src/platform/base/log.ts'
import { Placement } from '../../../src/platform/postgres/cells/placement.ts'
import { Chain } from '../../../src/tokens/chain/chain.ts'
import type { ApplyContext } from '../../../src/tokens/indexer/apply-logs.ts'
import { ChainIndexer } from '../../../src/tokens/indexer/chain-indexer.ts'
import { CursorMoved } from '../../../src/tokens/indexer/cursor.sql.ts'
import { type FollowedChain, followChain } from '../../../src/tokens/indexer/follow-chain.ts'
import { Anvil } from '../chain/anvil.ts'
import { TokenDesk } from '../chain/token-desk.ts'
import type { Party } from '../data/fixtures.ts'
import { TestTenant } from '../data/tenant.ts'
import type { RunningApi } from '../installation/running-api.ts'
import { TestInstallation } from '../installation/test-installation.ts'

/** A tenant's token and desk on a chain. */
export interface Issue {
  readonly chain: string
  readonly anvil: Anvil
  readonly desk: TokenDesk
  readonly offeringId: string
  readonly token: Address
}

/** An installation with a tenant whose offerings have tokens on the test's own chains. */
export class IndexedWorld {
  readonly installation: TestInstallation
  readonly tenant: TestTenant
  readonly api: RunningApi
  readonly logged: Record<string, unknown>[] = []
  readonly #anvils: Anvil[] = []
  readonly #pool: pg.Pool

  private constructor(installation: TestInstallation, api: RunningApi, tenant: TestTenant) {
    this.installation = installation
    this.api = api
    this.tenant = tenant
    this.#pool = installation.workerPool()
  }

  static async create(): Promise<IndexedWorld> {
    const installation = await TestInstallation.create()
    const api = await installation.startApi()
    return new IndexedWorld(installation, api, await TestTenant.create(installation, api))
  }

  async startChain(): Promise<Anvil> {
    const anvil = await Anvil.start()
    this.#anvils.push(anvil)
    return anvil
  }

  /** Creates an open offering and deploys its token. The address is stored before the deployment. */
  async issue(chain: string, anvil: Anvil): Promise<Issue> {
    const desk = await TokenDesk.deploy(anvil)
    await desk.attachDesk(this.installation, this.tenant.id, chain)
    const offeringId = await this.tenant.fixtures.offering(this.tenant.id, {
      blockchain: chain,
      decimals: 0,
      total_units: '1000000',
    })
    await desk.attachToken(this.installation, this.tenant.id, offeringId)
    return { chain, anvil, desk, offeringId, token: await desk.deployToken(offeringId) }
  }

  /** Creates a wallet that is registered with the token. */
  async holder({ chain, desk, token }: Issue, accountId?: string): Promise<Party> {
    const owner = accountId ?? (await this.tenant.account())
    const party = await this.tenant.fixtures.party(this.tenant.id, owner, chain)
    await desk.register(token, party.address)
    return party
  }

  /** Creates an order, MINTING by default. */
  async order(
    { offeringId }: Issue,
    { accountId }: Party,
    {
      units = 100n,
      status = 'MINTING',
    }: { units?: bigint; status?: Parameters<TestTenant['fixtures']['bringTo']>[2] } = {},
  ): Promise<string> {
    const orderId = await this.tenant.order(offeringId, accountId, String(units))
    await this.tenant.fixtures.bringTo(this.tenant.id, orderId, status)
    return orderId
  }

  /** Mints for an unknown order, for tests that check transfers only. */
  mint({ desk, token }: Issue, { address }: Party, units = 100n) {
    return desk.mint(token, { orderId: crypto.randomUUID(), to: address, units })
  }

  indexer(chain: string, url: string): ChainIndexer {
    return new ChainIndexer(new Chain(chain, url), this.#pool, this.#context())
  }

  /** Follows a chain like an indexer process, until the caller stops it. */
  follow(chain: string, url: string): FollowedChain {
    const context = { ...this.#context(), cell: 'main' }
    return followChain(new Chain(chain, url), { cell: 'main', pool: this.#pool }, context)
  }

  #context(): ApplyContext {
    const destination = { write: (line: string) => void this.logged.push(JSON.parse(line)) }
    const { databases } = this.installation
    return { databases, placement: new Placement(databases), log: createLogger('info', 'test', destination) }
  }

  /** Finalizes all blocks, and indexes them. */
  async finalize(issue: { chain: string; anvil: Anvil }): Promise<void> {
    await issue.anvil.finalize()
    await this.index(issue)
  }

  /** Runs the indexer, again after a reorg or after another process moved the cursor, as an indexer process does. */
  async index(
    { chain, anvil }: { chain: string; anvil: Anvil },
    indexer = this.indexer(chain, anvil.url),
  ): Promise<void> {
    for (;;)
      try {
        return await indexer.readToHead()
      } catch (error) {
        if (!(error instanceof CursorMoved)) throw error
      }
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- tests read members of any body
  async transactions(accountId: string): Promise<any[]> {
    const { body } = await this.tenant.get(`/accounts/${accountId}/transactions?limit=50&direction=asc`)
    assert.equal(body.pagination.count, body.results.length)
    return body.results
  }

  /** Returns the balances of the API, by wallet. */
  async balances(accountId: string): Promise<Record<string, string>> {
    const { body } = await this.tenant.get(`/accounts/${accountId}/wallets/balances?limit=50`)
    assert.equal(body.pagination.count, body.results.length)
    return Object.fromEntries(
      body.results.map((row: { wallet_id: string; balance: string }) => [row.wallet_id, row.balance]),
    )
  }

  async orderStatus(orderId: string): Promise<string> {
    const rows = await this.installation.rows<{ status: string }>('select status from cell.token_order where id = $1', [
      orderId,
    ])
    return rows[0]?.status ?? 'none'
  }

  async eventTypes(prefix: string): Promise<string[]> {
    await this.installation.numberEvents()
    const rows = await this.installation.rows<{ type: string }>(
      'select type from cell.event where type like $1 order by sequence',
      [`${prefix}%`],
    )
    return rows.map(({ type }) => type)
  }

  /** Asserts gapless positions, matching counters, and balances that equal the chain's at its finalized block. */
  async assertExact(...issues: Issue[]): Promise<void> {
    const wrong = await this.installation.rows(`
        select account.id from cell.account
        cross join lateral (
          select count(*) as many, min(position) as first, max(position) as last from cell.token_transaction
          where tenant_id = account.tenant_id and account_id = account.id
        ) transactions
        cross join lateral (
          select count(*) as many, min(position) as first, max(position) as last from cell.wallet_balance
          where tenant_id = account.tenant_id and account_id = account.id
        ) balances
        where (transactions.many, coalesce(transactions.first, 0), coalesce(transactions.last, -1))
                is distinct from (account.transaction_count, 0, account.transaction_count - 1)
           or (balances.many, coalesce(balances.first, 0), coalesce(balances.last, -1))
                is distinct from (account.balance_count, 0, account.balance_count - 1)`)
    assert.deepEqual(wrong, [])
    for (const { chain, desk, token, offeringId } of issues) {
      const rows = await this.installation.rows<{ address: Address; balance: string }>(
        `select public_address as address, coalesce(balance, 0)::text as balance
           from cell.wallet left join cell.wallet_balance
             on wallet_balance.tenant_id = wallet.tenant_id and wallet_id = wallet.id and offering_id = $2
           where blockchain = $1`,
        [chain, offeringId],
      )
      for (const { address, balance } of rows)
        assert.equal(balance, String(await desk.balanceOf(token, address, 'finalized')), address)
    }
  }

  async end(): Promise<void> {
    await this.#pool.end()
    await this.installation.end()
    await Promise.all(this.#anvils.map((anvil) => anvil.stop()))
  }
}
