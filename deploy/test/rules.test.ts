import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { stringify } from 'yaml'
import { metricsDocument } from '../../scripts/metrics-document.ts'
import { sitePages } from '../../scripts/site-pages.ts'
import { declaredMetrics } from '../../service/src/platform/base/metric.ts'
import { alertPages } from '../signals/alert-pages.ts'
import { objectives } from '../signals/objectives.ts'
import { dashboardNames, panelsOf } from '../signals/panels.ts'
import { type AlertingRule, pageName, prometheusRules, type RuleFile } from '../signals/rules.ts'
import { TimeScale, textOf } from '../signals/signal.ts'
import { signalFiles } from '../signals/signal-files.ts'
import { firingSeries } from './firing-series.ts'
import { metricsIn } from './metrics-in.ts'
import { missingProgram } from './missing-program.ts'

const root = new URL('../../', import.meta.url)
/** Returns true for a page in git, and for one that is written when the site is built. */
const isPage = (page: URL) => sitePages.has(page.href.slice(root.href.length)) || existsSync(page)
const time = new TimeScale()
const withPromtool = { skip: missingProgram('promtool') }
const rules = prometheusRules().groups.flatMap((group) => group.rules)
const alertingRules = rules.filter((rule): rule is AlertingRule => 'alert' in rule)

describe('alerts and dashboards', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'investor-token-rules-'))
    await writeFile(join(folder, 'rules.yaml'), stringify(prometheusRules()))
  })
  after(() => rm(folder, { recursive: true }))

  const promtool = (...parameters: string[]) => promisify(execFile)('promtool', parameters, { cwd: folder })

  test('the generated files are current: npm run generate -- signals', () => {
    for (const [path, text] of signalFiles()) {
      const file = new URL(path, root)
      assert.ok(existsSync(file), path)
      assert.equal(readFileSync(file, 'utf8'), text, path)
    }
  })

  test('Prometheus accepts the rules, including those of a drill', withPromtool, async () => {
    await writeFile(join(folder, 'drill.yaml'), stringify(prometheusRules(new TimeScale(60))))
    await promtool('check', 'rules', 'rules.yaml', 'drill.yaml')
  })

  test('every metric of a rule or a panel is declared by the code or recorded by a rule', async () => {
    await metricsDocument()
    const declared = new Set([
      ...declaredMetrics().flatMap(({ name, type }) =>
        type === 'histogram' ? ['_bucket', '_count', '_sum'].map((suffix) => name + suffix) : [name],
      ),
      ...rules.flatMap((rule) => ('record' in rule ? [rule.record] : [])),
      // These come from the instrumentation of Node.js, and from Prometheus itself.
      'nodejs_eventloop_delay_p99',
      'ALERTS',
    ])
    const panels = dashboardNames.flatMap((name) => panelsOf(name).map(({ value }) => textOf(value, time)))
    for (const expr of [...rules.map((rule) => rule.expr), ...panels])
      for (const metric of metricsIn(expr)) assert.ok(declared.has(metric), `${metric} in ${expr}`)
  })

  test('no metric has a label that Prometheus sets for each target, and would rename', async () => {
    await metricsDocument()
    const ofTargets = ['job', 'instance', 'namespace', 'pod', 'container', 'endpoint', 'service']
    const renamed = declaredMetrics().filter(({ labels }) => labels.some((label) => ofTargets.includes(label)))
    assert.deepEqual(renamed, [])
  })

  test('every alert has its page, whose links lead somewhere', () => {
    const pages = alertPages()
    for (const { alert, annotations } of alertingRules) {
      assert.equal(annotations.runbook, `docs/operations/alerts/${pageName(alert)}`)
      const text = pages.get(pageName(alert)) ?? assert.fail(`${alert} has no page`)
      for (const [, link = ''] of text.matchAll(/\]\(([^)]+)\)/g))
        assert.ok(isPage(new URL(link, new URL(annotations.runbook, root))), `${annotations.runbook}: ${link}`)
    }
  })

  test('every alert fires for its problem, and only for it', withPromtool, async () => {
    const names = [...new Set(alertingRules.map(({ alert }) => alert))]
    assert.deepEqual(Object.keys(firingSeries).toSorted(), names.toSorted())
    const files: string[] = []
    for (const kind of ['firing', 'quiet'] as const)
      for (const group of inGroups(names, kind)) {
        const file = `${kind}-${files.length}.yaml`
        await writeFile(join(folder, `rules-${file}`), stringify(rulesOf(group)))
        const checked = { rule_files: [`rules-${file}`], evaluation_interval: '1m', tests: [ruleTest(group, kind)] }
        await writeFile(join(folder, file), stringify(checked))
        files.push(file)
      }
    await promtool('test', 'rules', ...files)
  })

  test('an installation without requests pages no one', withPromtool, async () => {
    const quiet = {
      name: 'no traffic',
      interval: '1m',
      input_series: ['api', 'operator-api', 'worker', 'indexer'].map((name) => ({
        series: `build_info{process="${name}"}`,
        values: '1x600',
      })),
      promql_expr_test: [
        {
          expr: 'count(ALERTS{severity!="watchdog"}) or vector(0)',
          eval_time: '500m',
          exp_samples: [{ labels: '{}', value: 0 }],
        },
      ],
    }
    await writeFile(
      join(folder, 'quiet.yaml'),
      stringify({ rule_files: ['rules.yaml'], evaluation_interval: '1m', tests: [quiet] }),
    )
    await promtool('test', 'rules', 'quiet.yaml')
  })
})

/** Returns only the rules of these alerts: promtool evaluates all that it gets, every minute. */
function rulesOf(names: readonly string[]): RuleFile {
  const needsRatios = objectives.some(({ name }) => names.includes(name))
  const groups = prometheusRules().groups.map((group) => ({
    ...group,
    rules: group.rules.filter((rule) => ('alert' in rule ? names.includes(rule.alert) : needsRatios)),
  }))
  return { groups: groups.filter((group) => group.rules.length > 0) }
}

/** Puts several alerts into a run of promtool, which saves minutes. Alerts of a group have no metric in common. */
function inGroups(names: readonly string[], kind: 'firing' | 'quiet'): string[][] {
  const groups: { minutes: number; metrics: Set<string>; names: string[] }[] = []
  for (const name of names) {
    const { [kind]: series = {}, minutes = usualMinutes } = firingSeries[name] ?? {}
    const metrics = Object.keys(series).map((one) => one.replace(/\{.*/, ''))
    let group = groups.find((one) => one.minutes === minutes && metrics.every((metric) => !one.metrics.has(metric)))
    if (!group) {
      group = { minutes, metrics: new Set(), names: [] }
      groups.push(group)
    }
    group.names.push(name)
    for (const metric of metrics) group.metrics.add(metric)
  }
  return groups.map((group) => group.names)
}

const usualMinutes = 119

function ruleTest(names: readonly string[], kind: 'firing' | 'quiet') {
  const all = names.flatMap((name) => Object.entries(firingSeries[name]?.[kind] ?? {}))
  return {
    interval: '1m',
    input_series: all.map(([series, values]) => ({ series, values })),
    promql_expr_test: names.map((name) => ({
      // Checks that an alert of this name fires: an exact list would repeat all their labels.
      expr: `count(count by (alertname) (ALERTS{alertname="${name}",alertstate="firing"})) or vector(0)`,
      eval_time: `${firingSeries[name]?.minutes ?? usualMinutes}m`,
      exp_samples: [{ labels: '{}', value: kind === 'firing' || name === 'Watchdog' ? 1 : 0 }],
    })),
  }
}
