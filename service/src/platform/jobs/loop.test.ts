import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { freePort } from '../../../test/harness/installation/process.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { until } from '../../../test/harness/wait.ts'
import { loops } from '../../background.ts'
import { createLogger } from '../base/log.ts'
import { type LoopContext, loop, startLoops } from './loop.ts'

describe('loops', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())

  test('a failing run is retried, and does not stop other loops', async () => {
    const runs = { failing: 0, other: 0 }
    const failing = loop({
      name: 'failing',
      everyMs: 1,
      run: async () => {
        runs.failing += 1
        throw new Error('this run fails')
      },
    })
    const other = loop({
      name: 'other',
      everyMs: 1,
      run: async () => {
        runs.other += 1
      },
    })
    const context = { cell: 'main', log: createLogger('silent', 'test') } as LoopContext
    const started = startLoops([failing, other], context)
    await until('both loops have run three times', async () => runs.failing >= 3 && runs.other >= 3)
    await Promise.all(started.map((one) => one.stop()))
    const stopped = { ...runs }
    await new Promise((resolve) => setTimeout(resolve, 20))
    assert.deepEqual(runs, stopped, 'no run starts after stop()')
  })

  test('a run that fails is retried within half a minute, however rarely the loop runs', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const results = [false, true]
    const { promise: succeeded, resolve } = Promise.withResolvers<void>()
    const rare = loop({
      name: 'rare',
      everyMs: 3_600_000,
      run: async () => {
        if (!results.shift()) throw new Error('this run fails')
        resolve()
      },
    })
    const [started] = startLoops([rare], { cell: 'main', log: createLogger('silent', 'test') } as LoopContext)
    let seconds = 0
    const ticking = setInterval(() => {
      seconds += 1
      t.mock.timers.tick(1_000)
    }, 1)
    await succeeded
    clearInterval(ticking)
    await started?.stop()
    assert.ok(seconds <= 40, `${seconds} s`)
  })

  test('stop() waits for the current run', async () => {
    const { promise: running, resolve: finish } = Promise.withResolvers<void>()
    const slow = loop({ name: 'slow', everyMs: 1, run: () => running })
    const [started] = startLoops([slow], { cell: 'main', log: createLogger('silent', 'test') } as LoopContext)
    let isStopped = false
    const stopping = started?.stop().then(() => {
      isStopped = true
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    assert.equal(isStopped, false)
    finish()
    await stopping
    assert.equal(isStopped, true)
  })

  test('a loop that has not succeeded since its process started reports 0', async () => {
    const metricsPort = await freePort()
    await installation.rows('alter table cell.wallet rename column status to was')
    try {
      await installation.startWorkerProcess({ METRICS_PORT: String(metricsPort) })
      const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      const labels = 'loop="expire-wallets",cell="main"'
      await until('it has failed', async () =>
        new RegExp(`^loop_failures_total\\{${labels}\\} [1-9]`, 'm').test(await metrics()),
      )
      assert.match(await metrics(), new RegExp(`^loop_last_success_time_seconds\\{${labels}\\} 0$`, 'm'))
    } finally {
      await installation.rows('alter table cell.wallet rename column was to status')
    }
  })

  test('every loop of background.ts reports its runs, duration and last success per cell', async () => {
    const metricsPort = await freePort()
    await installation.startWorkerProcess({ METRICS_PORT: String(metricsPort) })
    const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    for (const { name } of loops) {
      const labels = `loop="${name}",cell="main"`
      await until(`${name} reports`, async () =>
        new RegExp(`^loop_last_success_time_seconds\\{${labels}\\} [1-9]`, 'm').test(await metrics()),
      )
      const text = await metrics()
      assert.ok(text.includes(`loop_runs_total{${labels}}`), `runs of ${name}`)
      assert.ok(text.includes(`loop_duration_seconds_count{${labels}}`), `duration of ${name}`)
    }
  })
})
