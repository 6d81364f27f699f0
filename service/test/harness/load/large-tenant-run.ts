import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../../../../bench/percentile.ts'
import { PacedChain } from '../chain/paced-chain.ts'
import { TestInstallation } from '../installation/test-installation.ts'
import { Mailbox } from '../servers/mailbox.ts'
import { WebhookReceiver } from '../servers/webhook-receiver.ts'
import { LargeTenant, type LargeTenantSizes, type Work } from './large-tenant.ts'
import { SmallTenant } from './small-tenant.ts'

export interface BesideLargeTenant {
  /** Median time of the small tenant's work beside the large tenant, divided by its median alone. */
  readonly ratios: Record<Work, number>
  readonly quietMs: Record<Work, number>
  readonly besideMs: Record<Work, number>
  readonly rounds: number
}

const kinds: readonly Work[] = ['mint', 'statement', 'mail', 'webhook', 'export']

/** Work of the large tenant that must be in progress; otherwise a measurement of the small tenant does not count. */
const beside: Record<Work, string> = {
  mint: 'orders',
  statement: 'entries',
  mail: 'deliveries',
  webhook: 'deliveries',
  export: 'exports',
}

/** Measures a small tenant's work alone, then while the same processes do all the work of a large tenant. */
export async function runBesideLargeTenant(
  sizes: LargeTenantSizes,
  { quietRounds, secondsMax }: { quietRounds: number; secondsMax: number },
  report: (line: string) => void,
): Promise<BesideLargeTenant> {
  const [mailbox, receiver] = await Promise.all([Mailbox.open(), WebhookReceiver.open()])
  const chain = await PacedChain.start({ blockSeconds: 1 })
  const settings = { SMTP_URL: mailbox.url, CHAINS: `anvil=${chain.url}` }
  const installation = await TestInstallation.create(settings)
  let small: SmallTenant | undefined
  let large: LargeTenant | undefined
  try {
    small = await SmallTenant.create(installation, chain, { mailbox, receiver })
    report('creating the large tenant')
    large = await LargeTenant.create(installation, chain, sizes, receiver.url)
    const operatorApi = await installation.startOperatorApiProcess()
    await Promise.all([installation.startWorkerProcess(), installation.startIndexerProcess(settings)])
    // The first round deploys the contracts and warms everything up.
    await small.measure()
    const quiet = collected()
    for (let round = 0; round < quietRounds; round += 1) add(quiet, await small.measure(), kinds)
    let isBeginning = true
    // Measures from the first order on: some of the work is done before all of it exists.
    const begun = large.begin(operatorApi).finally(() => {
      isBeginning = false
    })
    begun.catch(() => {})
    report('the large tenant begins')
    const measured = collected()
    const startedAt = performance.now()
    let rounds = 0
    for (;;) {
      const before = await large.remaining()
      const busy = kinds.filter((kind) => (before[beside[kind]] ?? 0) > 0)
      if ((busy.length === 0 && !isBeginning) || performance.now() - startedAt > secondsMax * 1_000) break
      const times = await small.measure()
      add(measured, times, busy)
      rounds += 1
      const shown = kinds.map((kind) => `${kind} ${Math.round(times[kind])}`).join(', ')
      report(`  ${Math.round((performance.now() - startedAt) / 1_000)} s: ${shown} ms; left ${JSON.stringify(before)}`)
      await sleep(100)
    }
    await begun
    const of = (from: Record<Work, number[]>) =>
      Object.fromEntries(kinds.map((kind) => [kind, median(from[kind])])) as Record<Work, number>
    const [quietMs, besideMs] = [of(quiet), of(measured)]
    const ratios = Object.fromEntries(kinds.map((kind) => [kind, besideMs[kind] / quietMs[kind]])) as Record<
      Work,
      number
    >
    return { ratios, quietMs, besideMs, rounds }
  } finally {
    await installation.end()
    await small?.end()
    await large?.end()
    await Promise.all([mailbox.close(), receiver.close(), chain.stop()])
  }
}

function collected(): Record<Work, number[]> {
  return { mint: [], statement: [], mail: [], webhook: [], export: [] }
}

function add(into: Record<Work, number[]>, times: Record<Work, number>, counted: readonly Work[]): void {
  for (const kind of counted) into[kind].push(times[kind])
}
