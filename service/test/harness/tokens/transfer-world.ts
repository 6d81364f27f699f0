import type { OperatorCellOperation, TenantOperation } from '../../../src/platform/api/declare/operation.ts'
import { tokenCall } from '../../../src/tokens/chain/contracts.ts'
import { createTransfer } from '../../../src/tokens/transfers/create-transfer.ts'
import { getTransferForOperator } from '../../../src/tokens/transfers/operator/get-transfer-for-operator.ts'
import { listUnrequestedTransfers } from '../../../src/tokens/transfers/operator/list-unrequested-transfers.ts'
import type { Party } from '../data/fixtures.ts'
import { SettledWorld } from './settled-world.ts'

/** Investors on a chain that transfer units to each other. Steps of the worker and the indexer run on demand. */
export class TransferWorld {
  readonly settled: SettledWorld

  private constructor(settled: SettledWorld) {
    this.settled = settled
  }

  static async create(): Promise<TransferWorld> {
    return new TransferWorld(await SettledWorld.create())
  }

  end(): Promise<void> {
    return this.settled.end()
  }

  get offeringId(): string {
    return this.settled.world.offeringId
  }

  run(operation: TenantOperation | OperatorCellOperation, params: object = {}, body?: unknown, query: object = {}) {
    return this.settled.world.direct.run(operation, { params, query, body } as never)
  }

  /** Creates an approved investor with a proven wallet; with `tokens`, that many are minted to it. */
  async party(tokens = 0): Promise<Party> {
    const party = await this.settled.world.party()
    if (tokens === 0) return party
    await this.settled.world.readyOrders(party.accountId, tokens)
    await this.settled.settle()
    return party
  }

  /** Creates another proven wallet of an account. */
  secondWallet({ accountId }: Party): Promise<Party> {
    const { fixtures, tenantId } = this.settled.world
    return fixtures.party(tenantId, accountId)
  }

  /** Requests a transfer of one token. */
  request(from: Party, to: Party, change: object = {}) {
    return this.run(createTransfer, {}, { ...this.body(from, to), ...change })
  }

  body(from: Party, to: Party) {
    return {
      offering_id: this.offeringId,
      sender_wallet_id: from.walletId,
      receiver_wallet_id: to.walletId,
      units: '100000000',
      reason: 'sale',
    }
  }

  read(transferId: string) {
    return this.run(getTransferForOperator, { transferId })
  }

  async codesOf(transferId: string): Promise<string[]> {
    const { blockers } = await this.read(transferId)
    return blockers.map(({ code }: { code: string }) => code)
  }

  /** Sends units on the chain as their owner would, into the next block. */
  async send(from: Party, to: Party, units = 100_000_000n): Promise<string> {
    const hash = await this.settled.sendAs(
      from.address,
      tokenCall(await this.settled.token(), 'transfer', [to.address, units]),
    )
    await this.settled.chain.mine(1)
    return hash
  }

  /** Finalizes the blocks so far, and indexes them. */
  async finalize(): Promise<void> {
    await this.settled.chain.mine(6)
    await this.settled.index()
  }

  async unrequested() {
    const { results } = await this.run(listUnrequestedTransfers, {}, undefined, { limit: 50, direction: 'asc' })
    return results
  }

  events(transferId: string): Promise<{ type: string }[]> {
    return this.settled.world.rows(
      `select type from (
         select id, type, data from cell.event_outbox union all select id, type, data from cell.event) recorded
       where data ->> 'transfer_id' = $1 order by id`,
      [transferId],
    )
  }
}
