import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testSize } from '../../service/test/harness/test-size.ts'
import { dashboardNames, panelsOf } from '../signals/panels.ts'
import { prometheusRules } from '../signals/rules.ts'
import { textOf } from '../signals/signal.ts'
import { eventually, runFault, drillTime as time } from './alerts/alert-drill.ts'
import { DrillInstallation } from './alerts/drill-installation.ts'
import { faults } from './alerts/faults.ts'
import { PrometheusServer, prometheusIsMissing } from './alerts/prometheus-server.ts'
import { metricsIn } from './metrics-in.ts'

const chosen = testSize({
  short: ['Redis killed', 'statement missing', 'node killed'],
  long: faults.map(({ name }) => name),
})

/** `npm run drill -- alerts` runs all faults. */
describe('alerts of a real Prometheus that watches a real installation', { skip: prometheusIsMissing }, () => {
  let drill: DrillInstallation
  let prometheus: PrometheusServer

  before(async () => {
    drill = await DrillInstallation.start()
    prometheus = await PrometheusServer.start(drill.metricsPorts, time)
    await drill.exercise()
  })
  after(async () => {
    await prometheus?.stop()
    await drill?.end()
  })

  test('nothing pages while all is well, and every metric of a rule or panel is found', async () => {
    const rules = prometheusRules(time).groups.flatMap((group) => group.rules)
    const panels = dashboardNames.flatMap((name) => panelsOf(name).map(({ value }) => textOf(value, time)))
    const metrics = new Set([...rules.map(({ expr }) => expr), ...panels].flatMap((expr) => [...metricsIn(expr)]))
    const missing = async () => {
      const found = await prometheus.metricNames()
      return [...metrics].filter((metric) => !found.has(metric) && !onlyAfterTrouble.has(metric))
    }
    await eventually('all metrics are found', async () => (await missing()).length === 0).catch(async () =>
      assert.deepEqual(await missing(), []),
    )
    assert.deepEqual(await prometheus.firing('page'), [])
  })

  for (const fault of faults.filter(({ name }) => chosen.includes(name)))
    test(`${fault.name}: ${[...fault.pages, ...fault.tickets].join(' and ')}, shown by a panel, and nothing else pages`, async () => {
      const { problems } = await runFault({ drill, prometheus }, fault)
      assert.deepEqual(problems, [])
    })
})

/** Waits for a connection and webhooks need trouble or an endpoint, which the drill does not have. */
const onlyAfterTrouble = new Set([
  'db_pool_wait_seconds_bucket',
  'db_pool_wait_seconds_count',
  'db_pool_wait_seconds_sum',
  'webhook_delay_seconds_bucket',
  'webhook_delay_seconds_count',
  'item_failures_total',
  'tokens_unreadable',
  'bank_statement_silence_seconds',
])
