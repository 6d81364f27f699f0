import { businessAlerts } from './business-alerts.ts'
import { cellAlerts } from './cell-alerts.ts'
import { chainAlerts } from './chain-alerts.ts'
import { jobAlerts } from './job-alerts.ts'
import { burnRates, failuresMin, objectives } from './objectives.ts'
import { serviceAlerts } from './service-alerts.ts'
import { type Alert, conditionOf, hours, minutes, type Objective, type Severity, TimeScale } from './signal.ts'

/** All alerts except those of objectives. */
export const alerts: readonly Alert[] = [
  ...serviceAlerts,
  ...jobAlerts,
  ...cellAlerts,
  ...chainAlerts,
  ...businessAlerts,
]

export interface RuleFile {
  readonly groups: readonly { readonly name: string; readonly interval: string; readonly rules: readonly Rule[] }[]
}

export type Rule = RecordingRule | AlertingRule

interface RecordingRule {
  readonly record: string
  readonly expr: string
  readonly labels?: Readonly<Record<string, string>>
}

export interface AlertingRule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: Severity }
  readonly annotations: { readonly summary: string; readonly runbook: string }
}

/** Returns the rules for Prometheus. A scale above 1 makes the same rules for a drill, in which hours take seconds. */
export function prometheusRules(time = new TimeScale()): RuleFile {
  const interval = time.duration(30)
  return {
    groups: [
      { name: 'objectives', interval, rules: objectives.flatMap((objective) => recordingRules(objective, time)) },
      { name: 'budgets', interval, rules: objectives.flatMap((objective) => budgetAlerts(objective, time)) },
      { name: 'symptoms', interval, rules: alerts.map((alert) => alertingRule(alert, time)) },
    ],
  }
}

const windows = [...new Set(burnRates.flatMap(({ short, long }) => [short, long]))].toSorted((one, two) => one - two)

function recordingRules({ id, recorded, failures, failed }: Objective, time: TimeScale): RecordingRule[] {
  const series = recorded ? [{ record: recorded.name, expr: recorded.expr(time) }] : []
  const ratios = windows.map((window) => ({
    record: ratioName(window),
    expr: failures(time.duration(window)),
    labels: { slo: id },
  }))
  const counts = failed
    ? longWindows.map((window) => ({
        record: countName(window),
        expr: failed(time.duration(window)),
        labels: { slo: id },
      }))
    : []
  return [...series, ...ratios, ...counts]
}

const longWindows = burnRates.map(({ long }) => long)

export function ratioName(window: number): string {
  return `slo:failures:ratio_rate${nameOf(window)}`
}

function countName(window: number): string {
  return `slo:failures:increase${nameOf(window)}`
}

/** Names the window by its length in production, even in a drill. */
function nameOf(window: number): string {
  if (window >= 24 * hours) return `${window / (24 * hours)}d`
  return window >= hours ? `${window / hours}h` : `${window / minutes}m`
}

function budgetAlerts({ name, id, target, summary, failed }: Objective, time: TimeScale): AlertingRule[] {
  return (['page', 'ticket'] as const).map((severity) => {
    const conditions = burnRates
      .filter((rate) => rate.severity === severity)
      .map(({ factor, short, long }) => {
        const limit = Number((factor * (1 - target)).toPrecision(6))
        const floor = failed ? ` and ${countName(long)}{slo="${id}"} >= ${failuresMin}` : ''
        return `(${ratioName(short)}{slo="${id}"} > ${limit} and ${ratioName(long)}{slo="${id}"} > ${limit}${floor})`
      })
    // At night, one slow request can exceed the limit in both windows: only a problem that lasts pages someone.
    const pause = time.duration(severity === 'page' ? 2 * minutes : 15 * minutes)
    return rule({ alert: name, expr: conditions.join(' or '), for: pause, severity, summary })
  })
}

function alertingRule(alert: Alert, time: TimeScale): AlertingRule {
  const { name, severity, summary } = alert
  const pause = alert.for > 0 ? time.duration(alert.for) : undefined
  return rule({ alert: name, expr: conditionOf(alert, time), for: pause, severity, summary })
}

type RuleInput = Pick<AlertingRule, 'alert' | 'expr'> & {
  for: string | undefined
  severity: Severity
  summary: string
}

function rule({ alert, expr, for: pause, severity, summary }: RuleInput): AlertingRule {
  return {
    alert,
    expr,
    ...(pause && { for: pause }),
    labels: { severity },
    annotations: { summary, runbook: `docs/operations/alerts/${pageName(alert)}` },
  }
}

/** Returns the file name of an alert's page: `requests-fail.md` for `RequestsFail`. */
export function pageName(alert: string): string {
  return `${alert.replace(/(?<!^)([A-Z])/g, '-$1').toLowerCase()}.md`
}
