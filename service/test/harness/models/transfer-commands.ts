import assert from 'node:assert/strict'
import type { OperatorCellOperation, TenantOperation } from '../../../src/platform/api/declare/operation.ts'
import { ApiError } from '../../../src/platform/api/errors/errors.ts'
import { setLockUp } from '../../../src/tokens/lock-up/operator/set-lock-up.ts'
import { proposeTokenAction } from '../../../src/tokens/token-actions/operator/propose-token-action.ts'
import { cancelTransfer } from '../../../src/tokens/transfers/cancel-transfer.ts'
import { createTransfer } from '../../../src/tokens/transfers/create-transfer.ts'
import { approveTransfer } from '../../../src/tokens/transfers/operator/approve-transfer.ts'
import { forceTransfer } from '../../../src/tokens/transfers/operator/force-transfer.ts'
import { rejectTransfer } from '../../../src/tokens/transfers/operator/reject-transfer.ts'
import type { TransferReason } from '../../../src/tokens/transfers/transfer-status.ts'
import type { Party } from '../data/fixtures.ts'
import type { AfterMintWorld } from './after-mint-world.ts'
import type { Expected } from './order-model.ts'
import type { ModelTransfer } from './transfer-model.ts'

/** Random commands on transfers, freezes, lock-up and the chain. Each must end as the model predicts. */
export class TransferCommands {
  readonly #world: AfterMintWorld
  readonly #random: () => number
  readonly counts: Record<string, { done: number; rejected: number }>
  readonly steps: Readonly<Record<string, () => Promise<unknown>>> = {
    request: () => this.#request(),
    approveTransfer: () =>
      this.#onTransfer(['REQUESTED'], approveTransfer, (one) => this.#world.transfers.approve(one, this.#world.facts)),
    rejectTransfer: async () =>
      this.#random() < 0.3 &&
      this.#onTransfer(['REQUESTED', 'READY'], rejectTransfer, (one) => this.#world.transfers.close(one, 'REJECTED'), {
        reason: 'a test',
      }),
    cancelTransfer: async () =>
      this.#random() < 0.3 &&
      this.#onTransfer(['APPROVED', 'READY'], cancelTransfer, (one) => this.#world.transfers.close(one, 'CANCELLED')),
    force: () => this.#force(),
    send: () => this.#send(),
    finalize: () => this.#world.finalize(),
    reorg: async () => this.#random() < 0.5 && this.#world.reorg(),
    execute: async () => {
      const kind = await this.#world.executeOp()
      if (kind) this.#count(kind, true)
    },
    freeze: () => this.#freeze(),
    lockUp: () => this.#lockUp(),
  }

  constructor(world: AfterMintWorld, random: () => number, counts: TransferCommands['counts'] = {}) {
    this.#world = world
    this.#random = random
    this.counts = counts
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.#random() * items.length)]
  }

  #count(id: string, isDone: boolean): void {
    this.counts[id] ??= { done: 0, rejected: 0 }
    this.counts[id][isDone ? 'done' : 'rejected'] += 1
  }

  /** Runs an operation, which must end with the code that the model expects. */
  async #run(operation: TenantOperation | OperatorCellOperation, expected: Expected, params: object, body?: unknown) {
    const { id } = operation.header
    this.#count(id, expected === undefined)
    try {
      const input = { params, ...(body === undefined ? {} : { body }) }
      const result = await this.#world.direct.run(operation, input as never)
      assert.equal(undefined, expected, id)
      return result
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      assert.equal(error.code, expected, `${id}: ${error.message}`)
      return undefined
    }
  }

  /** Picks all, some or more than all of the units of a wallet. */
  #unitsOf(from: Party): bigint {
    const balance = this.#world.token.balanceOf(from.address)
    const units = [1n, balance / 3n, balance / 2n, balance, balance + 1n][Math.floor(this.#random() * 5)] ?? 1n
    return units > 0n ? units : 1n
  }

  /** Picks a sender, mostly a holder, so that most transfers are possible. */
  #sender(): Party {
    const holders = this.#world.parties.filter(({ address }) => this.#world.token.balanceOf(address) > 0n)
    const from = this.#pick(this.#random() < 0.8 ? holders : this.#world.parties) ?? this.#world.parties[0]
    assert.ok(from)
    return from
  }

  async #request(): Promise<void> {
    const { parties, offeringId, transfers } = this.#world
    const from = this.#sender()
    const to = this.#pick(parties.filter(({ walletId }) => walletId !== from.walletId))
    assert.ok(to)
    const reasons: TransferReason[] =
      from.accountId === to.accountId ? ['change_of_wallet', 'lost_keys'] : ['sale', 'gift', 'sale', 'inheritance']
    const reason = this.#pick(reasons) ?? 'sale'
    const units = this.#unitsOf(from)
    const body = {
      offering_id: offeringId,
      sender_wallet_id: from.walletId,
      receiver_wallet_id: to.walletId,
      units: String(units),
      reason,
    }
    const { id } = await this.#run(createTransfer, undefined, {}, body)
    transfers.transfers.push({ id, from, to, units, reason, status: 'REQUESTED', log: undefined, opId: undefined })
  }

  /** Picks a transfer, mostly in one of these statuses. */
  #transferIn(statuses: readonly string[]): ModelTransfer | undefined {
    const { transfers } = this.#world.transfers
    const fitting = transfers.filter(({ status }) => statuses.includes(status))
    return this.#pick(this.#random() < 0.85 && fitting.length > 0 ? fitting : transfers)
  }

  async #onTransfer(
    statuses: readonly string[],
    operation: TenantOperation | OperatorCellOperation,
    expect: (transfer: ModelTransfer) => Expected,
    body?: unknown,
  ): Promise<void> {
    const transfer = this.#transferIn(statuses)
    if (transfer) await this.#run(operation, expect(transfer), { transferId: transfer.id }, body)
  }

  async #force(): Promise<void> {
    const { transfers, facts } = this.#world
    const forced = transfers.transfers.filter(({ reason }) => reason === 'lost_keys' || reason === 'inheritance')
    const ready = forced.filter(({ status }) => status === 'READY')
    const transfer = this.#pick(ready.length > 0 ? ready : forced)
    if (!transfer) return
    const expected = transfers.force(transfer, facts)
    await this.#run(forceTransfer, expected, { transferId: transfer.id })
    if (expected !== undefined) return
    const [row] = await this.#world.rows('select op_id from cell.token_transfer where tenant_id = $1 and id = $2', [
      transfer.id,
    ])
    transfer.opId = row?.['op_id']
  }

  /** Lets a holder send a READY transfer, or units without a request. */
  async #send(): Promise<void> {
    const ready = this.#pick(this.#world.transfers.transfers.filter(({ status }) => status === 'READY'))
    const from = ready?.from ?? this.#sender()
    const isRequested = ready !== undefined && this.#random() < 0.8
    const to = isRequested ? ready.to : this.#pick(this.#world.parties)
    if (!to || to.walletId === from.walletId) return
    this.#count('send', await this.#world.send(from, to, isRequested ? ready.units : this.#unitsOf(from)))
  }

  async #freeze(): Promise<void> {
    const { address } = this.#sender()
    const units = this.#random() < 0.5 ? 0n : this.#world.token.balanceOf(address) / 2n
    const body = { kind: 'FREEZE', wallet_address: address, units: String(units), reason: 'a test' }
    await this.#run(proposeTokenAction, undefined, { offeringId: this.#world.offeringId }, body)
    this.#world.freezes += 1
  }

  async #lockUp(): Promise<void> {
    const until = this.#random() < 0.3 ? new Date(Date.now() + 86_400_000) : null
    const body = { lock_up_until: until?.toISOString() ?? null, reason: 'a test' }
    await this.#run(setLockUp, undefined, { offeringId: this.#world.offeringId }, body)
    this.#world.lockUpUntil = until
  }
}
