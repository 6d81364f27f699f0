import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MeasuredCell, PoolMeasurement } from './harness/load/pool-measurement.ts'
import { until } from './harness/wait.ts'

const isBusy = ({ transactionsPerSecond }: MeasuredCell) => transactionsPerSecond > 10

/** The short form of `npm run bench:pools`. */
describe('an installation with more cells than a process may serve', () => {
  let measurement: PoolMeasurement

  before(async () => {
    const settings = { cells: 5, workers: 3, apis: 1, seconds: 8, cellsPerProcessMax: 4 }
    measurement = await PoolMeasurement.create(settings, () => {})
    await measurement.start()
  })
  after(() => measurement?.end())

  test('two workers serve each cell, with few connections and little to do for cells without work', async () => {
    await measurement.untilLeased(2)
    let measured = await measurement.measure()
    // Workers that have just leased a cell prepare its queue, which counts too.
    for (let again = 0; again < 5 && measured.some(isBusy); again += 1) measured = await measurement.measure()
    for (const { cell, connections } of measured)
      assert.ok(connections > 0 && connections <= 60, `${cell} has ${connections} connections`)
    assert.deepEqual(measured.filter(isBusy), [])
  })

  test('the cells of a worker that is killed are taken over', async () => {
    await measurement.workers[0]?.kill()
    // Two workers with four cells each: one before two for each cell.
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
