import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type CellLease, planLeases } from './plan-leases.ts'

/** Lets processes plan in turn, as they do under the lock, until no lease changes. */
function settle(cells: readonly string[], processes: readonly string[], cellsMax: number, from: CellLease[] = []) {
  let leases = from.filter(({ process }) => processes.includes(process))
  for (let round = 0; round < 50; round += 1) {
    const before = JSON.stringify(leases)
    for (const process of processes) {
      const { taken, released } = planLeases({ cells, processes, leases }, { process, cellsMax })
      leases = leases.filter((one) => one.process !== process || !released.includes(one.cell))
      leases = [...leases, ...taken.map((cell) => ({ process, cell }))]
    }
    if (JSON.stringify(leases) === before) return leases
  }
  throw new Error('the leases never settle')
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`)
const countsBy = (leases: readonly CellLease[], key: keyof CellLease) =>
  Object.values(Object.groupBy(leases, (lease) => lease[key])).map((group) => group?.length ?? 0)

describe('leases of cells', () => {
  test('two processes serve each of 50 cells, and ten processes have ten cells each', () => {
    const leases = settle(names('cell', 50), names('p', 10), 25)
    assert.deepEqual(new Set(countsBy(leases, 'cell')), new Set([2]))
    assert.deepEqual(new Set(countsBy(leases, 'process')), new Set([10]))
  })

  test('no process has more than its limit; with too few processes each cell gets one before any gets two', () => {
    const leases = settle(names('cell', 50), names('p', 3), 25)
    assert.deepEqual(countsBy(leases, 'process'), [25, 25, 25])
    assert.equal(countsBy(leases, 'cell').length, 50)
  })

  test('the cells of a process that died are taken over, and a new process gets its share', () => {
    const cells = names('cell', 30)
    const before = settle(cells, names('p', 4), 25)
    const after = settle(cells, ['p0', 'p1', 'p3'], 25, before)
    assert.deepEqual(new Set(countsBy(after, 'cell')), new Set([2]))
    const joined = settle(cells, ['p0', 'p1', 'p3', 'new'], 25, after)
    assert.equal(joined.filter(({ process }) => process === 'new').length, 15)
    assert.deepEqual(new Set(countsBy(joined, 'cell')), new Set([2]))
  })
})
