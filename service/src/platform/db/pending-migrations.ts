import { readdirSync } from 'node:fs'
import type pg from 'pg'
import { folderOf, type MigrationSet } from './migration-sets.ts'
import type { Databases } from './pools.ts'
import { sql } from './sql.ts'
import { inTransaction } from './transaction.ts'

/** Migrations that have not run yet, as `directory/0001_directory` or `cell main/0003_sales`. */
export async function pendingMigrations(databases: Databases): Promise<string[]> {
  const lists = await Promise.all([
    pendingIn(databases.directory, 'directory', 'directory'),
    ...[...databases.cells].map(([cell, pool]) => pendingIn(pool, 'cell', `cell ${cell}`)),
  ])
  return lists.flat()
}

async function pendingIn(pool: pg.Pool, set: 'directory' | 'cell', label: string): Promise<string[]> {
  const applied = await inTransaction(pool, { access: 'read', identity: {} }, (tx) =>
    tx.rows<{ name: string }>(
      set === 'cell' ? sql`select name from cell.migration` : sql`select name from directory.migration`,
    ),
  )
  const names = new Set(applied.map(({ name }) => name))
  return migrationNames(set)
    .filter((name) => !names.has(name))
    .map((name) => `${label}/${name}`)
}

function migrationNames(set: MigrationSet): string[] {
  return readdirSync(folderOf(set))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
}
