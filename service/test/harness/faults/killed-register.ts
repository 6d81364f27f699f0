import assert from 'node:assert/strict'
import { type Address, getAddress, type Hash, numberToHex, zeroAddress } from 'viem'
import { createLogger } from '../../../src/platform/base/log.ts'
import { createAccount } from '../../../src/sales/accounts/create-account.ts'
import { Chain } from '../../../src/tokens/chain/chain.ts'
import { registrationCall, roleHash, tokenCall } from '../../../src/tokens/chain/contracts.ts'
import { ChainIndexer, FinalityViolation } from '../../../src/tokens/indexer/chain-indexer.ts'
import { DirectOperations } from '../callers/operations.ts'
import { Anvil } from '../chain/anvil.ts'
import { createTestSigner } from '../chain/test-signers.ts'
import { TokenDesk } from '../chain/token-desk.ts'
import { individual } from '../data/bodies.ts'
import { Fixtures } from '../data/fixtures.ts'
import type { TestInstallation } from '../installation/test-installation.ts'

const chainName = 'anvil'
/** Holders that one transaction registers and mints to. */
const batchSize = 100
const unitsPerToken = 100_000_000n
const silent = createLogger('silent', 'test')

/** A token with many holders on a node, which the tenant's signer may burn. Its last move can be reorganized. */
export class KilledRegister {
  readonly anvil: Anvil
  readonly tenantId: string
  readonly offeringId: string
  readonly holders: readonly Address[]
  readonly #desk: TokenDesk
  readonly #token: Address
  readonly #installation: TestInstallation
  readonly #signer: Address
  /** The block of the last transfer, which is the record block. */
  #lastMove = 0n

  private constructor(
    installation: TestInstallation,
    desk: TokenDesk,
    made: { tenantId: string; offeringId: string; holders: readonly Address[]; signer: Address; token: Address },
  ) {
    this.#installation = installation
    this.#desk = desk
    this.anvil = desk.anvil
    this.tenantId = made.tenantId
    this.offeringId = made.offeringId
    this.holders = made.holders
    this.#signer = made.signer
    this.#token = made.token
  }

  static async create(installation: TestInstallation, count: number): Promise<KilledRegister> {
    const desk = await TokenDesk.deploy(await Anvil.start())
    const tenantId = await installation.createTenant('Killed')
    const signer = await createTestSigner(installation, tenantId, { admin: desk.signer })
    assert.ok(signer)
    const offeringId = await new Fixtures(installation).offering(tenantId, { blockchain: chainName })
    const token = await desk.deployToken(offeringId)
    await desk.attachToken(installation, tenantId, offeringId)
    await installation.rows('update cell.offering set token_deployed_at = now() where id = $1', [offeringId])
    const holders = Array.from({ length: count }, (_, index) => getAddress(numberToHex(2n ** 156n + BigInt(index))))
    const register = new KilledRegister(installation, desk, {
      tenantId,
      offeringId,
      holders,
      signer: signer.address,
      token,
    })
    await register.#mint()
    await register.#insertWallets()
    await register.index()
    return register
  }

  end(): Promise<void> {
    return this.anvil.stop()
  }

  async #mint(): Promise<void> {
    const { signer, address: desk } = this.#desk
    await this.anvil.fund(this.#signer)
    await this.anvil.send(signer, tokenCall(this.#token, 'grantRole', [roleHash('BURNER'), this.#signer]))
    for (let from = 0; from < this.holders.length; from += batchSize) {
      const batch = this.holders.slice(from, from + batchSize)
      await this.anvil.send(signer, registrationCall(desk, this.#token, batch, true))
      const orders = batch.map((to, index) => ({
        orderId: crypto.randomUUID(),
        to,
        units: unitsPerToken + BigInt(from + index),
      }))
      await this.#desk.mint(this.#token, ...orders)
    }
    const [sender] = this.holders
    assert.ok(sender)
    await this.anvil.fund(sender)
    this.#lastMove = (await this.anvil.send(sender, this.#move(1))).blockNumber
    await this.anvil.finalize()
  }

  /** Returns a call by which the first holder sends one unit to another. */
  #move(to: number) {
    return tokenCall(this.#token, 'transfer', [this.holders[to], 1n])
  }

  async #insertWallets(): Promise<void> {
    const direct = new DirectOperations(this.#installation, this.tenantId)
    const accounts: string[] = []
    const accountCount = Math.min(50, this.holders.length)
    while (accounts.length < accountCount) accounts.push((await direct.run(createAccount, { body: individual })).id)
    // Distributions leave out accounts that are not approved.
    await this.#installation.rows(`update cell.account set kyc_status = 'APPROVED' where id = any ($1::uuid[])`, [
      accounts,
    ])
    await this.#installation.rows(
      `insert into cell.wallet (tenant_id, id, account_id, position, blockchain, public_address, name, provider, type,
                                  status)
         select $1, gen_random_uuid(), ($2::uuid[])[1 + nth % $3], nth / $3, $4, address, 'w', 'METAMASK',
                'BROWSER_WALLET', 'ACTIVE'
         from unnest($5::text[]) with ordinality holder (address, nth)`,
      [this.tenantId, accounts, accounts.length, chainName, this.holders],
    )
  }

  /** Reads the chain as an indexer does. */
  async index(): Promise<void> {
    const pool = this.#installation.workerPool()
    const { databases } = new DirectOperations(this.#installation, this.tenantId)
    try {
      const chain = new Chain(chainName, this.anvil.url)
      await new ChainIndexer(chain, pool, { ...databases, log: silent }).readToHead()
    } finally {
      await pool.end()
    }
  }

  /** Returns the time of the last finalized block that was indexed. */
  async recordAt(): Promise<string> {
    const rows = await this.#installation.rows<{
      at: Date
    }>(`select timestamp as at from cell.chain_block join cell.chain_cursor
         on chain_block.chain = chain_cursor.chain and number = finalized_number`)
    return rows[0]?.at.toISOString() ?? ''
  }

  /**
   * Removes an unfinalized block with a transfer, then the record block itself and all after it. The new blocks contain
   * the transfer of the record block, so the units are the same; the indexer stops at the different hashes.
   */
  async reorg(): Promise<void> {
    const [from] = this.holders
    assert.ok(from)
    await this.anvil.send(from, this.#move(2))
    await this.index()
    await this.anvil.reorg(1)
    await this.anvil.mine()
    await this.index()
    const head = await this.anvil.head()
    await this.anvil.reorg(Number(head - this.#lastMove + 1n), [[{ from, ...this.#move(1) }, 0]])
    await this.anvil.finalize()
    await assert.rejects(this.index(), FinalityViolation)
  }

  /** Counts how often the chain has burnt the units of each holder. */
  async burnsByHolder(): Promise<Map<Address, number>> {
    const logs = await this.anvil.rpc<{ topics: Hash[] }[]>('eth_getLogs', {
      address: this.#token,
      fromBlock: '0x0',
      topics: [transferTopic, null, numberToHex(0n, { size: 32 })],
    })
    const counts = new Map<Address, number>()
    for (const { topics } of logs) {
      const holder = getAddress(`0x${topics[1]?.slice(-40) ?? zeroAddress.slice(2)}`)
      counts.set(holder, (counts.get(holder) ?? 0) + 1)
    }
    return counts
  }
}

/** Transfer(address,address,uint256). */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
