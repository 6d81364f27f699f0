import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../../service/test/harness/wait.ts'
import { panelOfAlert } from '../../signals/panels.ts'
import { type Panel, TimeScale, textOf } from '../../signals/signal.ts'
import { DrillInstallation } from './drill-installation.ts'
import type { Fault } from './faults.ts'
import { PrometheusServer } from './prometheus-server.ts'

/** In a drill, a minute takes a second. */
export const drillTime = new TimeScale(60)

const noticedMs = 240_000
/** Time in which the consequences of a fault may page too. */
const afterwardsMs = 5_000

export interface FaultResult {
  readonly seconds: number
  /** The panels of its alerts, with their values before the fault and during it. */
  readonly panels: readonly { title: string; before: string; during: string }[]
  readonly problems: readonly string[]
}

export interface WatchedDrill {
  readonly drill: DrillInstallation
  readonly prometheus: PrometheusServer
}

/** Starts an installation and a Prometheus that watches it, and ends both after the work. */
export async function whileWatched(work: (watched: WatchedDrill) => Promise<void>): Promise<void> {
  const drill = await DrillInstallation.start()
  try {
    const prometheus = await PrometheusServer.start(drill.metricsPorts, drillTime)
    try {
      await drill.exercise()
      await work({ drill, prometheus })
    } finally {
      await prometheus.stop()
    }
  } finally {
    await drill.end()
  }
}

/** Causes a fault and waits for its alerts. Any difference from what the fault declares is a problem. */
export async function runFault(
  { drill, prometheus }: WatchedDrill,
  { name, pages, tickets, cause }: Fault,
): Promise<FaultResult> {
  await eventually('nothing pages', async () => (await prometheus.firing('page')).length === 0)
  const expected = [...pages, ...tickets]
  const panels = expected.map(panelOfAlert).filter((panel) => panel !== undefined)
  const values = () => Promise.all(panels.map((panel) => shownBy(prometheus, panel)))
  const before = await values()
  const problems: string[] = []
  const start = performance.now()
  const mend = await cause(drill)
  try {
    const missing = async () => {
      const firing = [...(await prometheus.firing('page')), ...(await prometheus.firing('ticket'))]
      return expected.filter((alert) => !firing.includes(alert))
    }
    await eventually(`${name} is noticed`, async () => (await missing()).length === 0).catch(() => {})
    const seconds = (performance.now() - start) / 1_000
    await sleep(afterwardsMs)
    problems.push(...(await missing()).map((alert) => `${alert} does not fire`))
    const firing = await prometheus.firing('page')
    problems.push(...firing.filter((alert) => !pages.includes(alert)).map((alert) => `${alert} pages too`))
    const during = await values()
    const shown = panels.map(({ title }, index) => ({
      title,
      before: before[index] ?? '',
      during: during[index] ?? '',
    }))
    problems.push(
      ...shown
        .filter((panel) => panel.before === panel.during)
        .map(({ title }) => `the panel "${title}" does not change`),
    )
    return { seconds, panels: shown, problems }
  } finally {
    await mend()
  }
}

/** Checks once per scrape: more often would only take time from the drilled processes. */
export async function eventually(description: string, condition: () => Promise<boolean>): Promise<void> {
  const ask = async () => (await condition()) || (await sleep(1_000, false))
  await until(description, ask, noticedMs)
}

/** Returns the lowest and the highest value that a panel shows now. */
async function shownBy(prometheus: PrometheusServer, panel: Panel): Promise<string> {
  const values = (await prometheus.query(textOf(panel.value, drillTime))).map(
    ({ value }) => Math.round(value * 10) / 10,
  )
  if (values.length === 0) return 'nothing'
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return low === high ? String(low) : `${low} to ${high}`
}
