import assert from 'node:assert/strict'
import { type Address, getAddress, numberToHex, zeroAddress } from 'viem'
import { confirmAs } from '../callers/second-person.ts'
import { individual } from '../data/bodies.ts'
import type { Party } from '../data/fixtures.ts'
import type { RunningInstallation } from '../installation/running-installation.ts'
import type { TestOperator } from '../installation/test-users.ts'
import { until } from '../wait.ts'
import type { CamtEntry, CamtOptions } from './camt053.ts'
import { assertDistributionsAddUp } from './distribution-check.ts'
import { StatementWorld } from './statement-world.ts'

const chain = 'anvil'
/** The first day of the token; each block is an hour later. */
const beginsAt = Date.UTC(2026, 0, 1)
const hash = (number: number) => numberToHex(number, { size: 32 })

/** A token whose register the test writes, as if an indexer had read it, and the people who pay its holders. */
export class DistributionWorld {
  readonly statements: StatementWorld
  readonly offeringId: string
  readonly #second: TestOperator
  #logs = 0

  private constructor(statements: StatementWorld, offeringId: string, second: TestOperator) {
    this.statements = statements
    this.offeringId = offeringId
    this.#second = second
  }

  /** Creates the world in a running installation, by default in a new one. */
  static async create(running?: RunningInstallation): Promise<DistributionWorld> {
    const statements = await StatementWorld.create(running)
    const { tenant, installation } = statements
    await installation.useDefaultPolicies(tenant.id, 'refund_to_changed_account')
    const offeringId = await tenant.fixtures.offering(tenant.id, { blockchain: chain })
    const world = new DistributionWorld(statements, offeringId, await installation.createOperator(tenant.id))
    await world.finalize(1_000)
    return world
  }

  async end(): Promise<void> {
    await this.statements.end()
  }

  get #run() {
    return (text: string, values: unknown[]) => this.statements.installation.rows(text, values)
  }

  /** Returns the time of a block. */
  at(block: number): string {
    return new Date(beginsAt + block * 3_600_000).toISOString()
  }

  /** Finalizes the blocks up to this one. */
  async finalize(block: number): Promise<void> {
    await this.#run(
      `insert into cell.chain_cursor (chain, head_number, head_hash, finalized_number) values ($1, $2, $3, $2)
       on conflict (chain) do update
       set head_number = excluded.head_number, finalized_number = excluded.finalized_number`,
      [chain, block, hash(block)],
    )
    await this.#run(
      `insert into cell.chain_block (chain, number, hash, parent_hash, timestamp) values ($1, $2, $3, $3, $4)
       on conflict do nothing`,
      [chain, block, hash(block), this.at(block)],
    )
  }

  /** Writes a transfer in a block; from null it is a mint. */
  async move(
    block: number,
    from: Address | null,
    to: Address,
    units: bigint,
    offeringId = this.offeringId,
  ): Promise<void> {
    this.#logs += 1
    const tenantId = this.statements.tenant.id
    await this.#run(
      `insert into cell.token_log (tenant_id, chain, block_hash, log_index, block_number, block_timestamp,
                                   transaction_hash, offering_id, kind, from_address, to_address, units, applied_at)
       values ($1, $2, $3, $4, $5, $6, $3, $7, 'transfer', $8, $9, $10, now())`,
      [tenantId, chain, hash(block), this.#logs, block, this.at(block), offeringId, from, to, String(units)],
    )
    const changes: [Address, bigint][] = [
      [to, units],
      [from ?? zeroAddress, -units],
    ]
    for (const [address, change] of changes)
      await this.#run(
        `insert into cell.holding (tenant_id, offering_id, address, id, units)
         values ($1, $2, $3, gen_random_uuid(), $4)
         on conflict (tenant_id, offering_id, address) do update set units = holding.units + excluded.units`,
        [tenantId, offeringId, address, String(change)],
      )
  }

  /** Creates an investor with a wallet, and units from block 1 on. */
  async investor(units: bigint, change: { country?: string; lastName?: string } = {}): Promise<Party> {
    const { tenant } = this.statements
    const person = { ...individual.individual, ...change }
    const bank_account = { ...individual.bank_account, account_holder: `${person.firstName} ${person.lastName}` }
    const accountId = await tenant.account({ ...individual, individual: person, bank_account })
    assert.equal((await tenant.patch(`/accounts/${accountId}`, { kyc: { status: 'APPROVED' } })).status, 200)
    const party = await tenant.fixtures.party(tenant.id, accountId)
    if (units > 0n) await this.move(1, null, party.address, units)
    return party
  }

  /** Creates a holder without an account. */
  async stranger(units: bigint): Promise<Address> {
    const address = getAddress(`0x${crypto.randomUUID().replaceAll('-', '').padEnd(40, '0')}`)
    await this.move(1, null, address, units)
    return address
  }

  /** Creates a draft of a distribution; by default 1.00 for each token at block 10. */
  async draft(change: Record<string, unknown> = {}): Promise<string> {
    const response = await this.statements.operator.post(`/offerings/${this.offeringId}/distributions`, {
      ...newDistribution,
      record_at: this.at(10),
      ...change,
    })
    assert.equal(response.status, 201, response.text)
    return response.body.id
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- tests read response bodies without types
  async read(id: string): Promise<any> {
    return (await this.statements.operator.get(`/distributions/${id}`)).body
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- tests read response bodies without types
  async calculate(id: string): Promise<any> {
    const response = await this.statements.operator.post(`/distributions/${id}/calculate`)
    assert.equal(response.status, 200, response.text)
    await until('it is calculated', async () => (await this.read(id)).status !== 'CALCULATING')
    await this.check()
    return this.read(id)
  }

  /** Proposes the approval; another person confirms it. */
  async approve(id: string) {
    const proposal = await this.statements.operator.post(`/distributions/${id}/approve`)
    return confirmAs(this.statements.operatorApi, this.#second, proposal)
  }

  /** Creates a distribution that two persons have approved. */
  async approved(change?: Record<string, unknown>): Promise<string> {
    const id = await this.draft(change)
    await this.calculate(id)
    assert.equal((await this.approve(id)).status, 200)
    return id
  }

  confirm(proposal: Parameters<typeof confirmAs>[2]) {
    return confirmAs(this.statements.operatorApi, this.#second, proposal)
  }

  /** Requests files and waits until they are written. Returns the ids of those that are not downloaded yet. */
  async pay(id: string): Promise<string[]> {
    const response = await this.statements.operator.post(`/distributions/${id}/pay`)
    assert.equal(response.status, 200, response.text)
    await until('files are written', async () => !(await this.read(id)).is_filing)
    await this.check()
    const { body } = await this.statements.operator.get(`/distributions/${id}/files?direction=asc`)
    return body.results.flatMap((file: { id: string; status: string }) => (file.status === 'open' ? [file.id] : []))
  }

  async download(fileId: string) {
    const response = await this.statements.operator.download(`/distribution-files/${fileId}/download`)
    await this.check()
    return response
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- tests read response bodies without types
  async entitlements(id: string): Promise<any[]> {
    return (await this.statements.operator.get(`/distributions/${id}/entitlements?direction=asc&limit=100`)).body
      .results
  }

  /** Imports a statement. Returns the states of its entries. */
  async bank(entries: CamtEntry[], options: CamtOptions = {}): Promise<string[]> {
    const { states } = await this.statements.importEntries(entries, options)
    await this.check()
    return states
  }

  check(): Promise<void> {
    return assertDistributionsAddUp(this.statements.installation, this.statements.tenant.id)
  }

  /** Returns the types of the events about distributions and entitlements, in order. */
  async events(): Promise<string[]> {
    const rows = await this.statements.installation.rows<{ type: string }>(
      `select type from (select type, created_at, id from cell.event_outbox union all
                         select type, created_at, id from cell.event) events
       where type like 'distribution.%' or type like 'entitlement.%' order by created_at, id`,
    )
    return rows.map(({ type }) => type)
  }
}

export const newDistribution = {
  kind: 'COUPON',
  record_at: new Date(beginsAt).toISOString(),
  pay_on: '2026-02-02',
  currency: 'EUR',
  rate_per_token: '1.00',
  source_account: { account_holder: 'Harbour Bond GmbH', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
}
