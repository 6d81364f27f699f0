import assert from 'node:assert/strict'
import type pg from 'pg'
import { type Address, decodeFunctionData, type Hash, keccak256, parseGwei, toHex, zeroAddress } from 'viem'
import { systemClock } from '../../../src/platform/base/clock.ts'
import { createLogger } from '../../../src/platform/base/log.ts'
import { createAccount } from '../../../src/sales/accounts/create-account.ts'
import { tokenAbi } from '../../../src/tokens/chain/contracts.ts'
import { chainOpHandlers } from '../../../src/tokens/chain-op-handlers.ts'
import { type ChainOp, lockChainOp } from '../../../src/tokens/chain-ops/chain-op.sql.ts'
import type { ChainOpContext } from '../../../src/tokens/chain-ops/chain-op-context.ts'
import { endOp } from '../../../src/tokens/chain-ops/end-op.ts'
import type { TokenLog } from '../../../src/tokens/logs/token-log.sql.ts'
import { DirectOperations } from '../callers/operations.ts'
import { openTestSigners } from '../chain/test-signers.ts'
import { individual } from '../data/bodies.ts'
import { ChainRows } from '../data/chain-rows.ts'
import { Fixtures, type Party } from '../data/fixtures.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import type { ModelChain } from './model-chain.ts'
import { type EmittedLog, ModelToken } from './model-token.ts'
import { type Model, unitsPerToken } from './order-model.ts'
import { type ModelFacts, TransferModel } from './transfer-model.ts'

/**
 * A tenant with a token, five wallets of four investors, and a chain in memory. Units move after the mint in the
 * service and in a model of it. The first investor buys, see order-commands.ts.
 */
export class AfterMintWorld {
  readonly installation: TestInstallation
  readonly direct: DirectOperations
  readonly offeringId: string
  readonly parties: readonly Party[]
  readonly chain: ModelChain
  readonly client: pg.Client
  readonly orders: Model
  readonly transfers = new TransferModel()
  /** The token at the head of the chain. */
  token = new ModelToken()
  /** The token in the last finalized block. */
  finalized = new ModelToken()
  /** Balances from each finalized block on. */
  readonly history: { at: Date; balances: ReadonlyMap<Address, bigint> }[] = []
  lockUpUntil: Date | null = null
  freezes = 0
  readonly #minted = new Set<string>()
  #unfinalized: TokenLog[] = []
  readonly #context: ChainOpContext

  private constructor(made: {
    installation: TestInstallation
    direct: DirectOperations
    offeringId: string
    parties: readonly Party[]
    chain: ModelChain
    client: pg.Client
    orders: Model
  }) {
    this.installation = made.installation
    this.direct = made.direct
    this.offeringId = made.offeringId
    this.parties = made.parties
    this.chain = made.chain
    this.client = made.client
    this.orders = made.orders
    this.#context = {
      ...made.direct.databases,
      chains: new Map(),
      signers: openTestSigners(made.installation),
      handlers: chainOpHandlers,
      clock: systemClock,
      log: createLogger('silent', 'test'),
      bumpAfterMs: 60_000,
      feeMax: parseGwei('500'),
    }
  }

  static async create(
    installation: TestInstallation,
    { chain, client, orders }: { chain: ModelChain; client: pg.Client; orders: Model },
  ): Promise<AfterMintWorld> {
    const tenantId = await installation.createTenant('T')
    const direct = new DirectOperations(installation, tenantId)
    const offeringId = await new ChainRows(installation, tenantId).token({
      total_units: String(orders.supply * unitsPerToken),
      acceptance_required: orders.needsAcceptance,
      soft_cap_units: orders.softCap === 0n ? null : String(orders.softCap * unitsPerToken),
    })
    const fixtures = new Fixtures(installation)
    const investor = async (kyc: object) =>
      fixtures.party(tenantId, (await direct.run(createAccount, { body: { ...individual, ...kyc } })).id)
    const approved = { kyc: { status: 'APPROVED' } }
    const buyer = await investor({})
    const second = await investor(approved)
    const others = [
      await investor(approved),
      await investor(approved),
      await fixtures.party(tenantId, second.accountId),
    ]
    const parties = [buyer, second, ...others]
    const world = new AfterMintWorld({ installation, direct, offeringId, parties, chain, client, orders })
    await world.#register(buyer, second)
    return world
  }

  get tenantId(): string {
    return this.direct.tenantId
  }

  get facts(): ModelFacts {
    const { finalized, orders, parties } = this
    return {
      isLockedUp: this.lockUpUntil !== null && this.lockUpUntil > new Date(),
      isFreezing: this.freezes > 0,
      balanceOf: (address) => finalized.balanceOf(address),
      frozenOf: (address) => finalized.frozenOf(address),
      isRegistered: (address) => finalized.registered.has(address),
      isApproved: ({ accountId }) => accountId !== parties[0]?.accountId || orders.isApproved,
    }
  }

  async rows<Row = Record<string, string>>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.client.query(text, [this.tenantId, ...values])).rows as Row[]
  }

  /** Mints the MINTED orders that are not on the chain yet. */
  async mint(): Promise<void> {
    for (const { id, status, tokens } of this.orders.orders) {
      if (status !== 'MINTED' || this.#minted.has(id)) continue
      this.#minted.add(id)
      const [buyer] = this.parties
      assert.ok(buyer)
      await this.happen((token) => token.mint(buyer.address, tokens * unitsPerToken, id))
    }
  }

  /** Transfers a holder's units, in a block that a reorg may remove. Returns false if the token rejects it. */
  async send(from: Party, to: Party, units: bigint): Promise<boolean> {
    const emitted = this.token.transfer(from.address, to.address, units)
    if (!emitted) return false
    const logs = await this.chain.mine(this.#context, this, emitted)
    this.#unfinalized.push(...logs)
    this.transfers.mined(logs, undefined)
    return true
  }

  async finalize(): Promise<void> {
    if (!this.chain.hasUnfinalized) return
    await this.chain.finalize(this.#context, this.tenantId)
    this.transfers.finalized(this.#unfinalized, undefined)
    this.#unfinalized = []
    this.#keep()
  }

  async reorg(): Promise<void> {
    await this.chain.reorg(this.#context, this.tenantId)
    this.#unfinalized = []
    this.transfers.reorged()
    this.token = new ModelToken(this.finalized)
  }

  /** Executes a call in a finalized block. Returns false if it reverts. */
  async happen(
    call: (token: ModelToken) => EmittedLog[] | undefined,
    sent?: { opId: string; transactionHash: Hash },
  ): Promise<boolean> {
    await this.finalize()
    const emitted = call(this.token)
    if (!emitted) return false
    const { tenantId, offeringId } = this
    const by = sent ? { transactionHash: sent.transactionHash } : {}
    const logs = await this.chain.mineFinalized(this.#context, { tenantId, offeringId, ...by }, emitted)
    this.transfers.finalized(logs, sent?.opId)
    this.#keep()
    return true
  }

  /** Executes the oldest chain op that waits for no other one. Returns its kind. */
  async executeOp(): Promise<string | undefined> {
    const [due] = await this.rows<{ id: string }>(
      `select op.id from cell.chain_op op left join cell.chain_op before on before.id = op.depends_on
       where op.tenant_id = $1 and op.state = 'QUEUED' and coalesce(before.state, 'FINAL') = 'FINAL'
       order by op.created_at, op.id limit 1`,
    )
    if (!due) return undefined
    const key = { tenantId: this.tenantId, opId: due.id }
    const op = await this.direct.write(async (tx) => {
      const locked = await lockChainOp(tx, key)
      const current = locked && chainOpHandlers[locked.kind].currentCall
      return { locked, isNeeded: !current || (await current(tx, locked)) !== undefined }
    })
    assert.ok(op.locked)
    if (op.isNeeded) await this.#execute(op.locked)
    else {
      await endOp(this.#context, op.locked, 'CANCELLED', null)
      this.transfers.failed(due.id)
    }
    return op.locked.kind
  }

  async #execute(op: ChainOp): Promise<void> {
    const holders = await this.rows<{ address: Address }>(
      `select public_address as address from cell.token_holder join cell.wallet on wallet.id = wallet_id
       where token_holder.tenant_id = $1 and op_id = $2`,
      [op.id],
    )
    const addresses = holders.map(({ address }) => address)
    const hash = keccak256(toHex(op.id))
    await this.client.query(
      `insert into cell.chain_tx (tenant_id, hash, op_id, attempt, raw, max_fee_per_gas, max_priority_fee_per_gas)
       values ($1, $2, $3, 1, '0x00', 1, 1)`,
      [op.tenantId, hash, op.id],
    )
    const isDone = await this.happen((token) => callOf(token, op, addresses), {
      opId: op.id,
      transactionHash: hash,
    })
    if (op.kind === 'FREEZE') this.freezes -= 1
    await endOp(this.#context, op, isDone ? 'FINAL' : 'REVERTED', isDone ? null : 'reverted')
    if (!isDone) this.transfers.failed(op.id)
    if (op.kind === 'REGISTER_WALLETS') this.transfers.registered(addresses)
  }

  /** Compares register and transfers with the model. */
  async check(): Promise<void> {
    const holdings = await this.rows<{ address: Address; units: string }>(
      'select address, units::text as units from cell.holding where tenant_id = $1 and units <> 0 order by address',
    )
    const { balances, supply } = this.finalized
    const expected = new Map([...balances, [zeroAddress, -supply] as const])
    assert.deepEqual(
      holdings.map(({ address, units }) => `${address} ${units}`),
      [...expected]
        .filter(([, units]) => units !== 0n)
        .map(([address, units]) => `${address} ${units}`)
        .toSorted(),
      'the register has the units of all holders, and the supply is their sum',
    )
    const transfers = await this.rows('select id, status from cell.token_transfer where tenant_id = $1 order by id')
    assert.deepEqual(
      transfers.map(({ id, status }) => `${id} ${status}`),
      this.transfers.transfers.map(({ id, status }) => `${id} ${status}`).toSorted(),
    )
    const [counts] = await this.rows<{ unrequested: number; burns: number; burnt: number; issued: string }>(
      `select (select count(*)::int from cell.unrequested_transfer where tenant_id = $1) as unrequested,
              (select count(*)::int from cell.chain_op where tenant_id = $1 and kind = 'BURN') as burns,
              (select count(distinct burn_op_id)::int from cell.entitlement where tenant_id = $1) as burnt,
              (select (issued_units - coalesce((select sum(units) from cell.token_log
                 where tenant_id = $1 and to_address = $2 and applied_at is not null), 0))::text
               from cell.offering where tenant_id = $1) as issued`,
      [zeroAddress],
    )
    assert.deepEqual(counts, {
      unrequested: this.transfers.unrequested,
      burns: counts?.burnt,
      burnt: counts?.burnt,
      issued: String(supply),
    })
  }

  #keep(): void {
    this.finalized = new ModelToken(this.token)
    this.history.push({ at: this.chain.finalizedAt, balances: this.finalized.balances })
  }

  async #register(...parties: Party[]): Promise<void> {
    await this.client.query(
      `insert into cell.token_holder (tenant_id, offering_id, wallet_id, account_id, is_registered)
       select tenant_id, $2, id, account_id, true from cell.wallet where id = any ($1)`,
      [parties.map(({ walletId }) => walletId), this.offeringId],
    )
    for (const { address } of parties) this.token.registered.add(address)
    this.finalized = new ModelToken(this.token)
  }
}

/** Applies an op to the token, as the chain would. */
function callOf(token: ModelToken, { kind, data }: ChainOp, holders: readonly Address[]): EmittedLog[] | undefined {
  if (kind === 'REGISTER_WALLETS') for (const one of holders) token.registered.add(one)
  if (kind === 'UNREGISTER_WALLETS') for (const one of holders) token.registered.delete(one)
  if (kind !== 'FREEZE' && kind !== 'BURN' && kind !== 'FORCED_TRANSFER') return []
  const args = decodeFunctionData({ abi: tokenAbi, data }).args as [Address, ...unknown[]]
  const [address] = args
  if (kind === 'FREEZE') return token.setFrozen(address, args[1] as bigint)
  if (kind === 'BURN') return token.burn(address, args[1] as bigint)
  return token.forcedTransfer(address, args[1] as Address, args[2] as bigint)
}
