import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createTestDatabase, ownerRows } from './harness/installation/database.ts'

test('docs/security/data.md classifies every column of text, bytes or JSON, and only existing columns', async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const rows = await ownerRows<{ column: string }>(
    database.url,
    `
      select nspname || '.' || relname || '.' || attname as column
      from pg_attribute
      join pg_class on pg_class.oid = attrelid
      join pg_namespace on pg_namespace.oid = relnamespace
      where nspname in ('base', 'directory', 'cell') and relkind in ('r', 'p') and not relispartition
        and relname <> 'migration' and attnum > 0 and not attisdropped
        and atttypid in ('text'::regtype, 'text[]'::regtype, 'bytea'::regtype, 'json'::regtype, 'jsonb'::regtype)`,
  )
  const document = readFileSync(new URL('../../docs/security/data.md', import.meta.url), 'utf8')
  const classified = document
    .split('\n')
    .filter((line) => /^\| `(base|directory|cell)\./.test(line))
    .flatMap((line) => {
      const [table = '', ...columns] = [...line.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name)
      return columns.map((column) => `${table}.${column}`)
    })
  assert.deepEqual(classified.toSorted(), rows.map(({ column }) => column).toSorted())
})
