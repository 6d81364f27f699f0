import { observedGauge } from '../../platform/base/metric.ts'
import { loop } from '../../platform/jobs/loop.ts'
import { type CellRow, selectCells, updateUsedBytes } from '../../platform/postgres/cell.sql.ts'
import { inDirectoryWithoutTenant } from '../../platform/postgres/cells/tenant-transaction.ts'
import { selectDatabaseBytes } from './measures.sql.ts'

/** All cells of the directory, as this process last read them, including those that no worker serves. */
let cells: readonly CellRow[] = []

/** Stores the size of a cell in the directory, so that new tenants go where most room is. */
export const measureSize = loop({
  name: 'measure-size',
  everyMs: 60_000,
  run: async ({ cell, pool, databases }) => {
    const bytes = await selectDatabaseBytes(pool)
    cells = await inDirectoryWithoutTenant(databases, async (tx) => {
      await updateUsedBytes(tx, cell, bytes)
      return selectCells(tx)
    })
  },
})

observedGauge('cell_used_ratio', {
  description: 'Size of the database of a cell, divided by the capacity that `maintain add-cell` stored',
  labels: ['cell'],
  read: (observe) => {
    for (const { name, usedBytes, capacityBytes } of cells) observe(usedBytes / capacityBytes, { cell: name })
  },
})

observedGauge('cell_measured_age_seconds', {
  description:
    'Time since a worker last measured a cell, which each one does every minute; since the cell was added if ' +
    'none ever did',
  labels: ['cell'],
  read: (observe) => {
    for (const { name, measuredAt, createdAt } of cells)
      observe((Date.now() - (measuredAt ?? createdAt).getTime()) / 1_000, { cell: name })
  },
})
