import { fileURLToPath } from 'node:url'
import { approveDistribution } from '../../../src/distributions/operator/approve-distribution.ts'
import { createDistribution } from '../../../src/distributions/operator/create-distribution.ts'
import { downloadDistributionFile } from '../../../src/distributions/operator/download-distribution-file.ts'
import { payDistribution } from '../../../src/distributions/operator/pay-distribution.ts'
import { requestCalculation } from '../../../src/distributions/operator/request-calculation.ts'
import { resumeMinting } from '../../../src/tokens/reconciliation/operator/resume-minting.ts'
import { DirectOperations } from '../callers/operations.ts'
import type { RunningProcess } from '../installation/process.ts'
import { TestInstallation } from '../installation/test-installation.ts'
import { camt053, importDirectly } from '../money/camt053.ts'
import { assertDistributionsAddUp } from '../money/distribution-check.ts'
import { newDistribution } from '../money/distribution-world.ts'
import { readRefundFile } from '../money/refund-file.ts'
import { seededRandom } from '../seeded-random.ts'
import { until } from '../wait.ts'
import { KilledRegister } from './killed-register.ts'

const preload = fileURLToPath(new URL('./kill-statement.ts', import.meta.url))
const stepMsMax = 300_000
/** Interval between blocks, so that burns are finalized. */
const mineMs = 400

export interface DistributionKills {
  kills: number
  entitlements: number
  /** Number of entitlements that are in two files, or that were paid twice. */
  paidTwice: number
  /** Number of holders without an entitlement, and of entitlements that were not sent, not paid or not burnt. */
  missing: number
  burntTwice: number
}

/**
 * Runs a redemption on a chain, and kills its workers (SIGKILL) at random statements of each step: the calculation, the
 * files, the booking of the bank's statement, and the burns. Meanwhile a reorg replaces the record block.
 */
export async function killDistribution(options: {
  kills: number
  holders: number
  seed: number
}): Promise<DistributionKills> {
  const installation = await TestInstallation.create()
  try {
    const register = await KilledRegister.create(installation, options.holders)
    try {
      return await new KilledDistribution(installation, register, options).run()
    } finally {
      await register.end()
    }
  } finally {
    await installation.end()
  }
}

class KilledDistribution {
  readonly #installation: TestInstallation
  readonly #register: KilledRegister
  readonly #direct: DirectOperations
  readonly #random: () => number
  readonly #killsMax: number
  /** Kills for each of calculation, files and booking; the burns get the rest. */
  readonly #killsPerStep: number
  #kills = 0

  constructor(installation: TestInstallation, register: KilledRegister, options: { kills: number; seed: number }) {
    this.#installation = installation
    this.#register = register
    this.#direct = new DirectOperations(installation, register.tenantId)
    this.#random = seededRandom(options.seed)
    this.#killsMax = options.kills
    this.#killsPerStep = Math.floor(options.kills / 4)
  }

  async run(): Promise<DistributionKills> {
    const { offeringId } = this.#register
    const body = {
      ...newDistribution,
      kind: 'REDEMPTION',
      rate_per_token: '1/7',
      record_at: await this.#register.recordAt(),
    }
    const { id: distributionId } = await this.#direct.run(createDistribution, { params: { offeringId }, body })
    const input = { params: { distributionId } }

    await this.#direct.run(requestCalculation, input)
    const isCalculated = this.#isTrue(`select status = 'CALCULATED' from cell.distribution`)
    const calculation = { kills: this.#killsPerStep, within: 4, until: isCalculated }
    await this.#killing('insert into cell.entitlement|update cell.distribution', calculation, () =>
      this.#register.reorg(),
    )

    await this.#acceptDifference()
    await this.#direct.run(approveDistribution, input)
    await this.#direct.run(payDistribution, input)
    const isFiled = this.#isTrue('select not is_filing from cell.distribution')
    const filing = { kills: this.#killsPerStep, within: 4, until: isFiled }
    await this.#killing('insert into cell.distribution_transfer|update cell.distribution', filing)

    await this.#acceptDifference()
    const sent = await this.#download()
    const entries = sent.map(({ amount, endToEndId }) => ({ amount, endToEndId, isDebit: true }))
    await importDirectly(this.#installation, this.#register.tenantId, camt053({ entries }))
    const isBooked = this.#isTrue(`select count(*) = 0 from cell.bank_entry where state = 'pending'`)
    const booking = { kills: this.#killsPerStep, within: 4, until: isBooked }
    await this.#killing('update cell.entitlement|update cell.bank_entry', booking)

    await this.#burn()
    return this.#tally(sent.map(({ endToEndId }) => endToEndId))
  }

  /** Resumes minting, which stops because a worker notices that the units were minted for no orders. */
  async #acceptDifference(): Promise<void> {
    const params = { offeringId: this.#register.offeringId }
    await this.#direct.run(resumeMinting, { params, body: { reason: 'minted by the test' } })
  }

  #start(settings: Record<string, string>): Promise<RunningProcess> {
    const chains = { CHAINS: `anvil=${this.#register.anvil.url}` }
    return this.#installation.startWithoutWaiting('worker', { ...chains, ...settings })
  }

  async #burn(): Promise<void> {
    const mining = setInterval(() => void this.#register.anvil.mine(2).catch(() => undefined), mineMs)
    try {
      const isBurnt = this.#isTrue(
        `select (select count(*) from cell.entitlement) = count(*) filter (where state = 'FINAL')
         from cell.chain_op where kind = 'BURN'`,
      )
      const burning = { kills: this.#killsMax - this.#kills, within: 60, until: isBurnt }
      await this.#killing('insert into cell.chain_op|update cell.chain_op|insert into cell.chain_tx', burning)
    } finally {
      clearInterval(mining)
    }
  }

  #isTrue(text: string): () => Promise<boolean> {
    return async () => (await this.#row(text))[0] === true
  }

  async #row(text: string): Promise<unknown[]> {
    const { rows } = await this.#installation.owner((client) => client.query({ text, rowMode: 'array' }))
    return rows[0] as unknown[]
  }

  /** Kills workers at random statements of a step, then lets one finish it. */
  async #killing(
    killOn: string,
    step: { kills: number; within: number; until: () => Promise<boolean> },
    afterFirst: () => Promise<void> = async () => undefined,
  ): Promise<void> {
    const isDone = step.until
    for (let count = 0; count < step.kills && !(await isDone()); count += 1) {
      const killAfter = String(Math.floor(this.#random() * step.within))
      const settings = { KILL_ON: killOn, KILL_AFTER: killAfter, NODE_OPTIONS: `--import ${preload}` }
      const doomed = await this.#start(settings)
      let hasEnded = false
      const end = () => {
        hasEnded = true
      }
      doomed.ended.then(end, end)
      await until('the worker is killed, or done', async () => hasEnded || (await isDone()), stepMsMax)
      // A killed worker has started the step; one that was too slow to be killed does not count.
      if (hasEnded) this.#kills += 1
      else await doomed.kill()
      await this.#expireLeases()
      if (count === 0) await afterFirst()
      await assertDistributionsAddUp(this.#installation, this.#register.tenantId)
    }
    const worker = await this.#start({})
    await until('the step is done', isDone, stepMsMax)
    // The worker stores its compiled modules, so that the next ones start faster.
    await worker.stop()
    await assertDistributionsAddUp(this.#installation, this.#register.tenantId)
  }

  /** Expires the leases of a dead process, so that the next worker need not wait for them. */
  async #expireLeases(): Promise<void> {
    await this.#installation.rows(`update cell.chain_op set next_check_at = now() where state <> 'FINAL'`)
  }

  async #download() {
    const rows = await this.#installation.rows('select id from cell.distribution_file')
    const transfers = []
    for (const { id: fileId } of rows) {
      const { content } = await this.#direct.run(downloadDistributionFile, { params: { fileId } })
      transfers.push(...readRefundFile(content).blocks.flatMap((block) => block.transfers))
    }
    return transfers
  }

  async #tally(endToEndIds: readonly string[]): Promise<DistributionKills> {
    const { holders } = this.#register
    const [entitlements, entitled, paid, events, paidOnce] = (await this.#row(`
      with event as (
        select data ->> 'entitlement_id' as id, count(*) as times
        from (select type, data from cell.event union all select type, data from cell.event_outbox) events
        where type = 'entitlement.paid' group by 1
      )
      select count(*)::int, count(distinct address)::int, count(*) filter (where status = 'paid')::int,
             (select coalesce(sum(times), 0)::int from event), (select count(*)::int from event)
      from cell.entitlement`)) as number[]
    const once = new Set(endToEndIds)
    const burns = await this.#register.burnsByHolder()
    const missingOf = (count = 0) => Math.max(0, holders.length - count)
    return {
      kills: this.#kills,
      entitlements: entitlements ?? 0,
      paidTwice:
        endToEndIds.length - once.size + ((events ?? 0) - (paidOnce ?? 0)) + ((entitlements ?? 0) - (entitled ?? 0)),
      missing: missingOf(entitled) + missingOf(once.size) + missingOf(paid) + missingOf(burns.size),
      burntTwice: [...burns.values()].filter((times) => times > 1).length,
    }
  }
}
