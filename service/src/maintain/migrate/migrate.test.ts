import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asOwner, createEmptyDatabase, createTestDatabase } from '../../../test/harness/installation/database.ts'
import { until } from '../../../test/harness/wait.ts'
import { migrate } from './migrate.ts'

describe('migrating', () => {
  test('a table that is locked for longer than the lock timeout is tried again', async () => {
    const database = await createTestDatabase()
    try {
      const owners = { ownerDatabaseUrl: database.url, ownerCells: new Map([['main', database.url]]) }
      await asOwner(database.url, async (client) => {
        const { rows: removed } = await client.query<{ name: string }>(
          `delete from cell.migration where name >= '0017_lock_up_of_tokens' returning name`,
        )
        await client.query('begin; lock table cell.offering in share update exclusive mode')
        const applied: string[] = []
        const migrating = migrate(owners, (line) => applied.push(line))
        const waiters = async () =>
          asOwner(database.url, async (other) => {
            const { rows } = await other.query<{ pid: number }>(
              `select pid from pg_locks where relation = 'cell.offering'::regclass and not granted`,
            )
            return rows.map(({ pid }) => pid)
          })
        await until('the migration waits', async () => (await waiters()).length > 0)
        const [first] = await waiters()
        await until('another attempt waits', async () => (await waiters()).some((pid) => pid !== first))
        await client.query('commit')
        await migrating
        assert.deepEqual(applied, removed.map(({ name }) => `cell/${name}`).toSorted())
      })
    } finally {
      await database.drop()
    }
  })

  test('migrating again while processes use the database waits for none of their locks', async () => {
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
        // The lock that a writing transaction takes.
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
