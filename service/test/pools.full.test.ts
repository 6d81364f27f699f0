import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type MeasuredCell, PoolMeasurement } from './harness/load/pool-measurement.ts'
import { until } from './harness/wait.ts'

const isBusy = ({ transactionsPerSecond }: MeasuredCell) => transactionsPerSecond > 10

describe('an installation with more cells than a process may serve', async () => {
  const settings = { cells: 5, workers: 3, apis: 1, seconds: 8, cellsPerProcessMax: 4 }
  const measurement = await PoolMeasurement.create(settings, () => {})
  after(() => measurement?.end())
  await measurement.start()

  test('two workers serve each cell, with few connections, and little effort for cells without work', async () => {
    await measurement.untilLeased(2)
    let measured = await measurement.measure()
    // Workers that have just leased a cell prepare its queue, which counts, too.
    for (let again = 0; again < 5 && measured.some(isBusy); again += 1) measured = await measurement.measure()
    for (const { cell, connections } of measured)
      assert.ok(connections > 0 && connections <= 60, `${cell} has ${connections} connections`)
    assert.deepEqual(measured.filter(isBusy), [])
  })

  test('another worker takes over the cells of a killed one', async () => {
    await measurement.workers[0]?.kill()
    // Two workers serve four cells each: every cell gets one worker before any gets two.
    await until(
      'every cell has a worker',
      async () => {
        const leases = await measurement.leases()
        return leases.every((count) => count > 0) && leases.reduce((sum, count) => sum + count) === 8
      },
      120_000,
    )
  })
})
