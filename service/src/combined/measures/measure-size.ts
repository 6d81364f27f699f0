import { updateUsedBytes } from '../../platform/db/cell.sql.ts'
import { inDirectoryWithoutTenant } from '../../platform/db/tenant-transaction.ts'
import { loop } from '../../platform/jobs/loop.ts'
import { selectDatabaseBytes } from './measures.sql.ts'

/** Stores in the directory how large a cell is, so that new tenants go where most room is. */
export const measureSize = loop({
  name: 'measure-size',
  everyMs: 60_000,
  run: async ({ cell, pool, databases }) => {
    const bytes = await selectDatabaseBytes(pool)
    await inDirectoryWithoutTenant(databases, (tx) => updateUsedBytes(tx, cell, bytes))
  },
})
