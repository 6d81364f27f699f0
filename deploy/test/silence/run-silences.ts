import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { prometheusRules, type RuleFile } from '../../signals/rules.ts'
import { quietNight, type Silence, stopSample } from './silence.ts'

interface Expected {
  readonly expr: string
  readonly minute: number
  /** Number of series that it must have. */
  readonly value: number
  readonly problem: string
}

/**
 * Evaluates the rules while each of these has stopped, each in a separate cell beside an installation that works.
 * Returns those that were not noticed in time, were noticed too early, or paged for something else.
 */
export async function problemsOf(silences: readonly Silence[], rules: RuleFile = prometheusRules()): Promise<string[]> {
  // An absent series has no label that would distinguish two of them.
  const alone = silences.filter(({ alert }) => alert === 'ProcessMissing')
  const together = silences.filter((one) => !alone.includes(one))
  const isLong = ({ minutes, isLong: isNamedLong }: Silence) => isNamedLong ?? minutes > 150
  const groups = [
    { step: 1, group: together.filter((one) => !isLong(one)) },
    { step: 15, group: together.filter(isLong) },
    ...alone.map((one) => ({ step: 1, group: [one] })),
    { step: 1, group: [] },
  ]
  const folder = await mkdtemp(join(tmpdir(), 'investor-token-silence-'))
  try {
    await writeFile(join(folder, 'rules.yaml'), stringify(rules))
    const found: string[] = []
    for (const [index, { step, group }] of groups.entries())
      found.push(...(await run(folder, `${index}.yaml`, step, group)))
    return found
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function run(folder: string, file: string, step: number, group: readonly Silence[]): Promise<string[]> {
  const expected = [...group.flatMap((one) => expectedOf(one, step)), ...nothingElse(group, step)]
  const series = { ...quietNight, ...Object.assign({}, ...group.map((one) => one.series)) } as Record<string, string>
  const interval = `${step}m`
  const input = Object.entries(series).map(([name, values]) => ({
    series: name,
    values: values.replaceAll('{step}', String(60 * step)).replaceAll('{stop}', String(60 * step * (stopSample - 1))),
  }))
  const test = {
    interval,
    input_series: input,
    promql_expr_test: expected.map(({ expr, minute, value }) => ({
      expr: `count(${expr}) or vector(0)`,
      eval_time: `${minute}m`,
      exp_samples: [{ labels: '{}', value }],
    })),
  }
  const content = { rule_files: ['rules.yaml'], evaluation_interval: interval, tests: [test] }
  await writeFile(join(folder, file), stringify(content))
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  execFile('promtool', ['test', 'rules', file], { cwd: folder, maxBuffer: 1e8 }, (error, stdout, stderr) =>
    error && typeof error.code !== 'number' ? reject(error) : resolve(error ? stdout + stderr : ''),
  )
  const output = await promise
  if (output === '') return []
  const failed = expected.filter(({ expr, minute }) =>
    output.includes(`expr: ${JSON.stringify(`count(${expr}) or vector(0)`)}, time: ${durationOf(minute)},`),
  )
  return failed.length > 0 ? failed.map(({ problem }) => problem) : [output]
}

/** Returns the evaluation at which it must be known. Long tests evaluate so rarely that alerts may be two late. */
function minuteOf(minutes: number, step: number): number {
  if (step === 1) return stopSample + minutes
  return (stopSample + Math.ceil(minutes / step) + 1) * step
}

/** Formats a time like promtool. */
function durationOf(minute: number): string {
  const [days, hours, minutes] = [Math.floor(minute / 1_440), Math.floor(minute / 60) % 24, minute % 60]
  return [days && `${days}d`, hours && `${hours}h`, minutes && `${minutes}m`].filter(Boolean).join('')
}

function expectedOf({ kind, name, how, alert, severity, minutes, labels }: Silence, step: number): Expected[] {
  const matchers = [`alertname="${alert}"`, `alertstate="firing"`, `severity="${severity}"`]
  for (const [label, value] of Object.entries(labels)) matchers.push(`${label}="${value}"`)
  const alerts = `ALERTS{${matchers.join(',')}}`
  const what = `${kind} ${name} ${how}`
  const minute = minuteOf(minutes, step)
  return [
    // Counts one alert, however many series it has.
    { expr: `count by (alertname) (${alerts})`, minute, value: 1, problem: `not noticed: ${what} (${alert})` },
    { expr: alerts, minute: (stopSample - 1) * step, value: 0, problem: `noticed before it stopped: ${what}` },
  ]
}

/** Forbids all alerts except the expected ones, which have the labels of what has stopped. */
function nothingElse(group: readonly Silence[], step: number): Expected[] {
  const ends = Math.max(60, ...group.map(({ minutes }) => minutes))
  const explained = group.flatMap(({ alert, alsoPages = [], labels }) => {
    const own = Object.entries(labels).map(([label, value]) => `,${label}="${value}"`)
    return [alert, ...alsoPages].map((name) => `ALERTS{alertname="${name}"${own.join('')}}`)
  })
  const minute = minuteOf(ends, step)
  const pages = 'ALERTS{alertstate="firing",severity="page"}'
  const expr = [pages, ...explained].join(' unless ')
  return [{ expr, minute, value: 0, problem: `false page beside ${group.length} that stopped` }]
}
