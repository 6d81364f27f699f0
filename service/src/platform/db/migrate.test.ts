import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asOwner, createEmptyDatabase } from '../../../test/harness/database.ts'
import { migrate } from './migrate.ts'

describe('migrating', () => {
  test('again, while processes use the database, waits for none of their locks', async () => {
    const database = await createEmptyDatabase()
    try {
      const owners = { ownerDatabaseUrl: database.url, ownerCells: new Map([['main', database.url]]) }
      await migrate(owners, () => {})
      await asOwner(database.url, async (client) => {
        const { rows } = await client.query<{ name: string }>(
          `select format('%I.%I', schemaname, tablename) as name from pg_tables
           where schemaname in ('base', 'directory', 'cell', 'graphile_worker') and tablename not like '%migration%'`,
        )
        assert.ok(rows.length > 50)
        // What a writing transaction holds.
        await client.query(`begin; lock table ${rows.map(({ name }) => name).join(', ')} in row exclusive mode`)
        const applied: string[] = []
        const again = migrate(owners, (line) => applied.push(line))
        const blocked = new Promise((resolve) => setTimeout(resolve, 90_000, 'blocked').unref())
        const result = await Promise.race([again.then(() => 'done'), blocked])
        await client.query('rollback')
        await again
        assert.deepEqual([result, applied], ['done', []])
      })
    } finally {
      await database.drop()
    }
  })
})
