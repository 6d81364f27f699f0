import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testSize } from '../../service/test/harness/test-size.ts'
import { until } from '../../service/test/harness/wait.ts'
import { dashboardNames, panelsOf } from '../signals/panels.ts'
import { alerts, prometheusRules } from '../signals/rules.ts'
import { TimeScale } from '../signals/signal.ts'
import { DrillInstallation } from './drill-installation.ts'
import { faults } from './faults.ts'
import { metricsIn } from './metrics-in.ts'
import { PrometheusServer } from './prometheus-server.ts'

/** A minute takes a second. */
const time = new TimeScale(60)
const chosen = testSize({
  short: ['node frozen', 'Redis killed', 'statement missing'],
  long: faults.map(({ name }) => name),
})

/** `npm run drill:alerts` runs all faults. */
describe('alerts of a real Prometheus that watches a real installation', () => {
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
    const panels = dashboardNames.flatMap((name) => panelsOf(name).map(({ expr }) => expr(time)))
    const metrics = new Set([...rules.map(({ expr }) => expr), ...panels].flatMap((expr) => [...metricsIn(expr)]))
    const missing = async () => {
      const found = await Promise.all(
        [...metrics].map(async (metric) => ((await prometheus.query(metric)).length > 0 ? [] : [metric])),
      )
      return found.flat().filter((metric) => !onlyAfterTrouble.has(metric))
    }
    await until('all metrics are found', async () => (await missing()).length === 0, 90_000).catch(async () =>
      assert.deepEqual(await missing(), []),
    )
    assert.deepEqual(await prometheus.firing('page'), [])
  })

  for (const { name, pages, tickets, cause } of faults.filter((fault) => chosen.includes(fault.name)))
    test(`${name}: ${[...pages, ...tickets].join(' and ')}, shown by a panel, and nothing else pages`, async () => {
      await until('all is quiet', async () => (await prometheus.firing('page')).length === 0, 180_000)
      const mend = await cause(drill)
      try {
        await until(
          `${name} is noticed`,
          async () => {
            const firing = [...(await prometheus.firing('page')), ...(await prometheus.firing('ticket'))]
            return [...pages, ...tickets].every((alert) => firing.includes(alert))
          },
          180_000,
        ).catch(async (error: Error) => {
          const firing = { page: await prometheus.firing('page'), ticket: await prometheus.firing('ticket') }
          assert.fail(`${error.message}; firing: ${JSON.stringify(firing)}`)
        })
        // What follows from it has time to page too.
        await sleep(5_000)
        assert.deepEqual(await prometheus.firing('page'), [...pages])
        for (const { panel } of alerts.filter((alert) => [...pages, ...tickets].includes(alert.name)))
          assert.ok((await prometheus.query(panel.expr(time))).length > 0, panel.title)
      } finally {
        await mend()
      }
    })
})

/** A wait for a connection and a webhook need trouble or an endpoint, which the drill does not have. */
const onlyAfterTrouble = new Set([
  'db_pool_wait_seconds_bucket',
  'db_pool_wait_seconds_count',
  'db_pool_wait_seconds_sum',
  'webhook_delay_seconds_bucket',
  'webhook_delay_seconds_count',
  'bank_statement_silence_seconds',
])
