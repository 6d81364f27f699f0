import assert from 'node:assert/strict'
import { systemClock } from '../../../src/platform/base/clock.ts'
import { approvalRisks } from '../../../src/sales/accounts/approval-risks.ts'
import { recheckAccount } from '../../../src/sales/orders/recheck-orders.job.ts'
import { checkRegistrations } from '../../../src/tokens/allow-list/check-registrations.job.ts'
import { OperatorClient } from '../callers/operator-client.ts'
import type { Party } from '../data/fixtures.ts'
import { SettledWorld } from './settled-world.ts'
import { planAll, type SettlementWorld } from './settlement-world.ts'

/** A SettledWorld that also runs the jobs of changed wallets and approvals. */
export class RegistrationWorld {
  readonly settled: SettledWorld
  readonly operator: OperatorClient

  private constructor(settled: SettledWorld, operator: OperatorClient) {
    this.settled = settled
    this.operator = operator
  }

  static async create(): Promise<RegistrationWorld> {
    const settled = await SettledWorld.create()
    const { installation, world } = settled
    const api = await installation.startOperatorApi()
    return new RegistrationWorld(settled, await OperatorClient.create(installation, api, world.tenantId))
  }

  get settlement(): SettlementWorld {
    return this.settled.world
  }

  get tenantId(): string {
    return this.settled.world.tenantId
  }

  end(): Promise<void> {
    return this.settled.end()
  }

  /** Creates an approved account without a wallet. */
  account(): Promise<string> {
    return this.settlement.account()
  }

  /** Creates an approved account with a proven wallet. */
  investor(): Promise<Party> {
    return this.settlement.party()
  }

  async move({ accountId, walletId }: Party, to: 'suspend' | 'resume' | 'retire'): Promise<void> {
    const path = `/accounts/${accountId}/wallets/${walletId}/${to}`
    const { status, text } = await this.operator.post(path, { reason: 'x' })
    assert.equal(status, 200, text)
  }

  async decide({ accountId }: Party, kyc: string): Promise<void> {
    const { status, text } = await this.operator.post(`/accounts/${accountId}/decision`, {
      kyc,
      reason: 'x',
      acknowledged: approvalRisks,
    })
    assert.equal(status, 200, text)
  }

  /** Returns the permissions in the token: whether the wallet can send, and whether it can receive. */
  permissions({ address }: Party): Promise<boolean[]> {
    return Promise.all(['canSend', 'canReceive'].map((name) => this.settled.readToken<boolean>(name, [address])))
  }

  async opCount(): Promise<number> {
    return (await this.settlement.ops()).length
  }

  /** Returns the kinds and states of the ops after the first ones. */
  async opsAfter(count: number): Promise<string[]> {
    return (await this.settlement.ops()).slice(count).map(({ kind, state }) => `${kind} ${state}`)
  }

  async transactionCount(): Promise<number> {
    return (await this.settlement.rows('select from cell.chain_tx')).length
  }

  /** Runs the checks that operations have enqueued, as a worker does. */
  async runChecks(): Promise<void> {
    const context = { ...this.settlement.direct.databases, clock: systemClock }
    for (const job of [recheckAccount, checkRegistrations])
      for (const payload of await this.dropChecks(job.name)) await job.run(payload, context)
  }

  /** Removes the enqueued checks without running them. */
  dropChecks(name: string): Promise<{ tenant_id: string; account_id: string }[]> {
    return this.settlement.rows(
      `with removed as (
         delete from graphile_worker._private_jobs using graphile_worker._private_tasks tasks
         where tasks.id = task_id and tasks.identifier = $1 returning payload
       )
       select payload ->> 'tenant_id' as tenant_id, payload ->> 'account_id' as account_id from removed`,
      [name],
    )
  }

  plan(): Promise<void> {
    return planAll(this.settled.pool, this.settlement.context())
  }

  /** Runs the checks, then everything until no op is open. */
  async settle(): Promise<void> {
    await this.runChecks()
    await this.settled.settle()
  }

  /** Advances all ops except those of one kind until no other is open. */
  async settleWithout(kind: string): Promise<void> {
    const { settled, settlement } = this
    for (let cycle = 0; cycle < 20; cycle += 1) {
      await settlement.rows(
        `update cell.chain_op set next_check_at = case when kind = $1 then 'infinity' else now() end`,
        [kind],
      )
      await settled.advanceDue()
      await settled.chain.mine(2)
      const open = await settlement.rows(
        `select from cell.chain_op where kind <> $1 and state in ('QUEUED', 'RESERVED', 'SIGNED', 'MINED')`,
        [kind],
      )
      if (open.length === 0) return
    }
    throw new Error(`ops are still open: ${JSON.stringify(await settlement.ops())}`)
  }

  async orderStatuses({ accountId }: Party): Promise<string[]> {
    const rows = await this.settlement.rows<{ status: string }>(
      'select status from cell.token_order where account_id = $1 order by account_position',
      [accountId],
    )
    return rows.map(({ status }) => status)
  }
}
