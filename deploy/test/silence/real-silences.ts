import { connect } from '../../../service/test/harness/installation/database.ts'
import type { Main } from '../../../service/test/harness/installation/process.ts'
import { eventually, type WatchedDrill } from '../alerts/alert-drill.ts'
import type { DrillInstallation } from '../alerts/drill-installation.ts'

/** A process or a loop that is really stopped while a Prometheus watches. */
export interface RealSilence {
  readonly name: string
  /** Series that must exist: only the alert for what was stopped counts, no other of its kind. */
  readonly alert: string
  /** Stops it. Returns a function that starts it again. */
  readonly stop: (drill: DrillInstallation) => Promise<() => Promise<void>>
}

const processes: readonly Main[] = ['api', 'operator-api', 'worker', 'indexer']

/** A table that a loop needs in each run, and that no request of the drill needs. */
const tableOf: Readonly<Record<string, string>> = {
  'fan-out-events': 'cell.webhook_cursor',
  'expire-wallets': 'cell.wallet',
  'end-account-approvals': 'cell.account_approval',
  'measure-approvals': 'base.approval',
  'watch-signers': 'cell.signer_status',
}

export const realSilences: readonly RealSilence[] = [
  ...processes.map(
    (name): RealSilence => ({
      name: `process ${name}`,
      alert: `ALERTS{alertname="ProcessMissing",alertstate="firing",process="${name}"}`,
      stop: (drill) => drill.kill(name),
    }),
  ),
  ...Object.entries(tableOf).map(
    ([loop, table]): RealSilence => ({
      name: `loop ${loop}`,
      alert: `ALERTS{alertname="LoopStalled",alertstate="firing",loop="${loop}",cell="main"}`,
      stop: async ({ postgres }) => {
        const client = await connect(postgres.url)
        await client.query('begin')
        await client.query(`lock table ${table} in access exclusive mode`)
        return () => client.end()
      },
    }),
  ),
]

/** Stops it and waits for its alert, with a drill's rules. Undefined if no one noticed, or something paged before. */
export async function secondsUntilNoticed(
  { drill, prometheus }: WatchedDrill,
  { name, alert, stop }: RealSilence,
): Promise<{ seconds: number | undefined; falsePages: readonly string[] }> {
  const pages = () => prometheus.firing('page')
  await eventually('nothing pages', async () => (await pages()).length === 0).catch(() => {})
  const falsePages = await pages()
  const startedAt = performance.now()
  const start = await stop(drill)
  try {
    await eventually(`${name} is noticed`, async () => (await prometheus.query(alert)).length > 0)
    return { seconds: (performance.now() - startedAt) / 1_000, falsePages }
  } catch {
    return { seconds: undefined, falsePages }
  } finally {
    await start()
  }
}
