import { type Address, getAddress, type Hash, numberToHex, zeroAddress } from 'viem'
import { createLogger } from '../../../src/platform/base/log.ts'
import { createAccount } from '../../../src/sales/accounts/create-account.ts'
import { applyFinalizedLogs } from '../../../src/tokens/indexer/apply-logs.ts'
import type { TokenLog } from '../../../src/tokens/logs/token-log.sql.ts'
import { DirectOperations } from '../callers/operations.ts'
import { individual } from '../data/bodies.ts'
import { Fixtures, type Party } from '../data/fixtures.ts'
import type { TestInstallation } from '../installation/test-installation.ts'

const chain = 'anvil'

/** A register whose logs the test applies as the indexer does, without a chain. */
export class RegisterWorld {
  readonly offeringId: string
  readonly direct: DirectOperations
  readonly #installation: TestInstallation
  readonly #tenantId: string
  #block = 0

  private constructor(installation: TestInstallation, tenantId: string, offeringId: string) {
    this.#installation = installation
    this.#tenantId = tenantId
    this.offeringId = offeringId
    this.direct = new DirectOperations(installation, tenantId)
  }

  static async create(installation: TestInstallation, tenantId: string): Promise<RegisterWorld> {
    const offeringId = await new Fixtures(installation).offering(tenantId, { blockchain: chain })
    const world = new RegisterWorld(installation, tenantId, offeringId)
    await world.#finalize(0)
    return world
  }

  /** Creates an account with a wallet. */
  async investor(lastName: string): Promise<Party> {
    const body = { ...individual, individual: { ...individual.individual, lastName } }
    const { id: accountId } = await this.direct.run(createAccount, { body })
    return new Fixtures(this.#installation).party(this.#tenantId, accountId)
  }

  get block(): number {
    return this.#block
  }

  timeOf(block: number): string {
    return timeOf(block).toISOString()
  }

  hashOf(block: number): Hash {
    return hash(block)
  }

  /** Applies the next block, with these changes of the register. */
  async apply(changes: readonly RegisterChange[]): Promise<number> {
    this.#block += 1
    const block = this.#block
    const logs = changes.map(
      (change, logIndex): TokenLog => ({
        blockHash: hash(block),
        logIndex,
        blockNumber: BigInt(block),
        blockTimestamp: timeOf(block),
        transactionHash: hash(block * 100_000 + logIndex),
        offeringId: this.offeringId,
        orderId: null,
        kind: change.kind === 'frozen' ? 'frozen' : 'transfer',
        from: change.kind === 'frozen' ? null : (change.from ?? null),
        to: change.to ?? zeroAddress,
        units: change.units,
      }),
    )
    const cursor = await this.#finalize(block)
    const context = { ...this.direct.databases, log: createLogger('silent', 'test') }
    await applyFinalizedLogs(context, { cursor, tenantId: this.#tenantId, logs })
    return block
  }

  async #finalize(block: number) {
    await this.#installation.owner(async (client) => {
      await client.query(
        `insert into cell.chain_cursor (chain, head_number, head_hash, finalized_number) values ($1, $2, $3, $2)
         on conflict (chain) do update set head_number = $2, head_hash = $3, finalized_number = $2`,
        [chain, block, hash(block)],
      )
      await client.query(
        `insert into cell.chain_block (chain, number, hash, parent_hash, timestamp) values ($1, $2, $3, $3, $4)
         on conflict do nothing`,
        [chain, block, hash(block), timeOf(block)],
      )
    })
    return { chain, head: BigInt(block), headHash: hash(block), finalized: BigInt(block), backfills: 0n }
  }
}

export interface RegisterChange {
  readonly kind?: 'transfer' | 'frozen'
  /** Sender; a mint has none. */
  readonly from?: Address
  /** Receiver; a burn has none. */
  readonly to?: Address
  readonly units: bigint
}

const hash = (number: number): Hash => numberToHex(number + 1, { size: 32 })
const timeOf = (block: number) => new Date(Date.UTC(2026, 0, 1) + block * 3_600_000)

/** Returns an address that belongs to no account. */
export function strangerAddress(number: number): Address {
  return getAddress(numberToHex(number + 1, { size: 20 }))
}
