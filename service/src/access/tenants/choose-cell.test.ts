import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { simulateFleet } from '../../../../scripts/fleet-simulation.ts'
import { type CellRoom, chooseCell, fullShare, growthBytes } from './choose-cell.ts'

const cell = (name: string, given: Partial<CellRoom> = {}): CellRoom => ({
  name,
  state: 'open',
  jurisdiction: null,
  capacityBytes: 100 * growthBytes,
  usedBytes: 0,
  tenantCount: 0,
  ...given,
})

describe('the cell of a new tenant', () => {
  test('is the open one with the most room, not the one with the smallest share in use', () => {
    const large = cell('large', { capacityBytes: 400 * growthBytes, usedBytes: 200 * growthBytes })
    assert.equal(chooseCell([cell('a', { usedBytes: growthBytes }), large, cell('b')]), 'large')
  })

  test('is never full or draining, even if no other has room', () => {
    const full = cell('used', { usedBytes: 80 * growthBytes, tenantCount: 1 })
    assert.equal(chooseCell([cell('a', { state: 'full' }), cell('b', { state: 'draining' }), full]), undefined)
  })

  test('is in the requested jurisdiction', () => {
    const cells = [cell('anywhere'), cell('eu', { jurisdiction: 'EU', tenantCount: 5 })]
    assert.equal(chooseCell(cells, 'EU'), 'eu')
    assert.equal(chooseCell(cells, 'CH'), undefined)
  })

  test('differs for tenants that are created before the cells are measured again', () => {
    const cells = [cell('a'), cell('b'), cell('c')]
    const chosen = Array.from({ length: 6 }, () => {
      const name = chooseCell(cells)
      const index = cells.findIndex((one) => one.name === name)
      cells[index] = cell(name ?? '', { tenantCount: (cells[index]?.tenantCount ?? 0) + 1 })
      return name
    })
    assert.deepEqual(chosen, ['a', 'b', 'c', 'a', 'b', 'c'])
  })

  test('keeps 200 cells with 100,000 tenants of skewed size below four fifths, with hardly any moves', () => {
    for (const seed of [1, 3]) {
      const { cells, moves, sizes } = simulateFleet({
        tenants: 100_000,
        cells: 200,
        orders: 4_000_000_000,
        bytesPerOrder: 12_630,
        capacityBytes: 500e9,
        seed,
      })
      assert.ok(Math.max(...cells.map(({ usedBytes, capacityBytes }) => usedBytes / capacityBytes)) <= fullShare)
      assert.ok(moves <= 10, `${moves} moves`)
      // The tenants do differ: the largest stores more than a hundred average ones together.
      assert.ok((sizes[0] ?? 0) > 100 * 40_000)
    }
  })
})
