import assert from 'node:assert/strict'
import { burnRedeemed } from '../../../src/distributions/burn-redeemed.job.ts'
import { calculateDistribution } from '../../../src/distributions/calculate-distribution.job.ts'
import { distributionOperations } from '../../../src/distributions/distribution-operations.ts'
import { writeDistributionFiles } from '../../../src/distributions/write-distribution-files.job.ts'
import { matchStatements } from '../../../src/money/statements/match-statements.job.ts'
import { ApiError } from '../../../src/platform/api/errors/errors.ts'
import { camt053, importDirectly } from '../money/camt053.ts'
import { assertDistributionsAddUp } from '../money/distribution-check.ts'
import { newDistribution } from '../money/distribution-world.ts'
import type { AfterMintWorld } from './after-mint-world.ts'

/** A transfer as the bank knows it. */
interface BankTransfer {
  amount: string
  endToEndId: string
  state: 'received' | 'debited' | 'returned'
}

/** Random commands on distributions, and the bank that executes their files. */
export class DistributionCommands {
  readonly #world: AfterMintWorld
  readonly #random: () => number
  readonly #sent: BankTransfer[] = []
  readonly #known = new Set<string>()
  /** Number of times that each operation was done, and that the state did not permit it. */
  readonly counts: Record<string, { done: number; rejected: number }>
  readonly steps: Readonly<Record<string, () => Promise<unknown>>> = {
    draft: () => this.#run('createDistribution', { offeringId: this.#world.offeringId }, this.#terms()),
    change: async () => {
      const { rate_per_token, withholding } = this.#terms()
      const distributionId = await this.#distributionIn('CALCULATED')
      return this.#run('updateDistribution', { distributionId }, { rate_per_token, withholding })
    },
    calculate: () => this.#calculate(),
    approve: async () => this.#run('approveDistribution', { distributionId: await this.#distributionIn('CALCULATED') }),
    cancel: async () => {
      if (this.#random() < 0.1)
        await this.#run('cancelDistribution', { distributionId: await this.#distributionIn('DRAFT') })
    },
    pay: async () => {
      const distributionId = await this.#distributionIn(this.#random() < 0.5 ? 'APPROVED' : 'PAYING')
      if (await this.#run('payDistribution', { distributionId }))
        await writeDistributionFiles.run(this.#payload(distributionId), this.#world.direct.jobContext)
    },
    download: () => this.#download(),
    debit: () => this.#report((state) => state === 'received', 'debited'),
    giveBack: () => this.#report((state) => state !== 'returned', 'returned'),
    approveAccount: async () => {
      const entitlementId = await this.#someId(`cell.entitlement where tenant_id = $1 and status = 'returned'`)
      return this.#run('approveEntitlementAccount', { entitlementId })
    },
    burn: async () => {
      const id = await this.#someId(
        `cell.distribution where tenant_id = $1 and kind = 'REDEMPTION' and exists (
           select from cell.entitlement where distribution_id = distribution.id and status = 'paid')`,
      )
      return burnRedeemed.run(this.#payload(id), this.#world.direct.jobContext)
    },
    closeDistribution: async () =>
      this.#run('closeDistribution', { distributionId: await this.#distributionIn('PAYING') }),
  }

  constructor(world: AfterMintWorld, random: () => number, counts: DistributionCommands['counts'] = {}) {
    this.#world = world
    this.#random = random
    this.counts = counts
  }

  /** Checks that all money of distributions adds up, and that the bank has debited and not returned what is paid. */
  async check(): Promise<void> {
    const { client, tenantId } = this.#world
    await assertDistributionsAddUp({ rows: async (text, values) => (await client.query(text, values)).rows }, tenantId)
    const [paid] = await this.#world.rows(
      `select coalesce(sum(net_minor), 0)::text as sum from cell.entitlement where tenant_id = $1 and status = 'paid'`,
    )
    const debited = this.#sent
      .filter(({ state }) => state === 'debited')
      .reduce((sum, { amount }) => sum + BigInt(amount.replace('.', '')), 0n)
    assert.equal(paid?.['sum'], String(debited), 'what is paid is what the bank debited')
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.#random() * items.length)]
  }

  async #someId(from: string): Promise<string> {
    return this.#pick(await this.#world.rows(`select id from ${from} order by id`))?.['id'] ?? crypto.randomUUID()
  }

  /** Picks a distribution, mostly in this status, so that most commands do something. */
  #distributionIn(status: string): Promise<string> {
    const isOfStatus = this.#random() < 0.8 ? `and status = '${status}'` : ''
    return this.#someId(`cell.distribution where tenant_id = $1 ${isOfStatus}`)
  }

  #payload(distributionId: string) {
    return { tenant_id: this.#world.tenantId, distribution_id: distributionId }
  }

  #terms() {
    const from = this.#random() < 0.8 ? this.#world.history.at(-1) : this.#pick(this.#world.history)
    return {
      ...newDistribution,
      kind: this.#random() < 0.4 ? 'REDEMPTION' : 'COUPON',
      record_at: (from?.at ?? this.#world.chain.finalizedAt).toISOString(),
      rate_per_token: `${1 + Math.floor(this.#random() * 1000)}/${1 + Math.floor(this.#random() * 97)}`,
      withholding: this.#random() < 0.5 ? [{ country: 'DE', percent: '26.375' }] : [],
    }
  }

  /** Runs an operation. If the state does not permit it, it must change nothing; the checks would show it. */
  async #run(id: string, params: object, body?: unknown) {
    const operation = distributionOperations.find(({ header }) => header.id === id)
    assert.ok(operation?.database === 'cell')
    this.counts[id] ??= { done: 0, rejected: 0 }
    try {
      const input = { params, ...(body === undefined ? {} : { body }) }
      const result = await this.#world.direct.run(operation, input as never)
      this.counts[id].done += 1
      return result
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.counts[id].rejected += 1
      return undefined
    }
  }

  /** Calculates a distribution, and compares the entitlements with the register of the model at the record time. */
  async #calculate(): Promise<void> {
    const distributionId = await this.#distributionIn('DRAFT')
    if (!(await this.#run('requestCalculation', { distributionId }))) return
    await calculateDistribution.run(this.#payload(distributionId), this.#world.direct.jobContext)
    const [distribution] = await this.#world.rows<{ at: Date }>(
      'select record_at as at from cell.distribution where tenant_id = $1 and id = $2',
      [distributionId],
    )
    const entitled = await this.#world.rows(
      `select address, units::text as units from cell.entitlement where tenant_id = $1 and distribution_id = $2`,
      [distributionId],
    )
    const at = distribution?.at ?? new Date(0)
    const balances = this.#world.history.findLast((one) => one.at <= at)?.balances ?? new Map<string, bigint>()
    assert.deepEqual(
      entitled.map(({ address, units }) => `${address} ${units}`).toSorted(),
      [...balances].flatMap(([address, units]) => (units > 0n ? [`${address} ${units}`] : [])).toSorted(),
      'the entitlements are of the holders at the record time',
    )
  }

  async #download(): Promise<void> {
    const fileId = await this.#someId('cell.distribution_file where tenant_id = $1')
    const file = await this.#run('downloadDistributionFile', { fileId })
    if (!file) return
    const message = /<MsgId>(\w+)</.exec(file.content)?.[1]
    const found = file.content.matchAll(/<EndToEndId>(\w+)<[\s\S]*?<InstdAmt Ccy="EUR">([\d.]+)</g)
    for (const [, endToEndId = '', amount = ''] of found) {
      // A second download contains the same transfers, which the bank executes once.
      if (this.#known.has(`${message} ${endToEndId}`)) continue
      this.#known.add(`${message} ${endToEndId}`)
      this.#sent.push({ endToEndId, amount, state: 'received' })
    }
  }

  async #report(isMeant: (state: BankTransfer['state']) => boolean, to: 'debited' | 'returned'): Promise<void> {
    const transfer = this.#pick(this.#sent.filter(({ state }) => isMeant(state)))
    if (!transfer) return
    const { amount, endToEndId } = transfer
    const entry = to === 'debited' ? { isDebit: true } : { returnCode: 'AC04' }
    const xml = camt053({ id: crypto.randomUUID(), entries: [{ amount, endToEndId, ...entry }] })
    await importDirectly(this.#world.installation, this.#world.tenantId, xml)
    await matchStatements.run({ tenant_id: this.#world.tenantId }, this.#world.direct.jobContext)
    transfer.state = to
    this.counts[to] ??= { done: 0, rejected: 0 }
    this.counts[to].done += 1
  }
}
