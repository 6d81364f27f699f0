import { setTimeout as sleep } from 'node:timers/promises'
import { runMigrations as migrateJobQueue } from 'graphile-worker'
import { runner } from 'node-pg-migrate'
import type pg from 'pg'
import type { Config } from '../../platform/base/config.ts'
import { selectCellsAsOwner, storeCellAddress } from '../../platform/postgres/cell.sql.ts'
import { addressOf, withAddress } from '../../platform/postgres/cell-address.ts'
import { checkServer } from '../../platform/postgres/check-server.ts'
import { folderOf, type MigrationSet } from '../../platform/postgres/migration-sets.ts'
import { inOwnerConnection } from '../../platform/postgres/owner-connection.ts'
import { tcpKeepAlive } from '../../platform/postgres/pools.ts'
import { isLockTimeout } from '../../platform/postgres/sql-errors.ts'
import { MigrationError, migrationFiles } from './migration-files.ts'

/** Migrates every database of the installation to this release. Safe to run repeatedly and concurrently. */
export async function migrate(owners: Owners, report: (line: string) => void): Promise<void> {
  const databases = new Map<string, { isDirectory: boolean; cell: string | undefined }>()
  for (const [cell, url] of await ownerCellsOf(owners)) {
    const other = databases.get(url)?.cell
    if (other) throw new MigrationError(`Cells ${other} and ${cell} have the same database: give each its own.`)
    databases.set(url, { isDirectory: false, cell })
  }
  databases.set(owners.ownerDatabaseUrl, {
    isDirectory: true,
    cell: databases.get(owners.ownerDatabaseUrl)?.cell,
  })
  for (const [url, database] of databases) await migrateDatabase(url, database, report)
  await inOwnerConnection(owners.ownerDatabaseUrl, async (client) => {
    for (const [url, { cell }] of databases)
      if (cell) await storeCellAddress(client, cell, url === owners.ownerDatabaseUrl ? null : addressOf(url))
  })
}

/** Migrates one database, and gives it the name of its cell. */
export async function migrateDatabase(
  url: string,
  { isDirectory, cell }: { isDirectory: boolean; cell: string | undefined },
  report: (line: string) => void,
): Promise<void> {
  await inOwnerConnection(url, checkServer)
  await runSet(url, 'base', report)
  await migrateJobQueue({ connectionString: url, logger: silentLogger })
  await inOwnerConnection(url, grantJobQueueToWorkers)
  if (isDirectory) await runSet(url, 'directory', report)
  if (cell) {
    await runSet(url, 'cell', report)
    await inOwnerConnection(url, (client) => nameCell(client, cell))
  }
}

/** With `areCellsListed`, the settings list the cells, and the directory does not. */
type Owners = Pick<Config, 'ownerDatabaseUrl' | 'ownerCells'> & Partial<Pick<Config, 'areCellsListed'>>

/** Returns the cells, from the settings or the directory, with the owner's login. */
async function ownerCellsOf({ ownerDatabaseUrl, ownerCells, areCellsListed = true }: Owners) {
  if (areCellsListed) return ownerCells
  const cells = await inOwnerConnection(ownerDatabaseUrl, selectCellsAsOwner)
  if (cells.length === 0) return ownerCells
  return new Map(cells.map(({ name, address }) => [name, withAddress(ownerDatabaseUrl, address)]))
}

async function runSet(databaseUrl: string, set: MigrationSet, report: (line: string) => void): Promise<void> {
  for (const name of await runFolder(databaseUrl, { folder: folderOf(set), schema: set })) report(`${set}/${name}`)
}

/** Runs the files of a folder that the schema does not have yet, in order, and returns their names. */
export async function runFolder(
  databaseUrl: string,
  { folder, schema }: { folder: string; schema: string },
): Promise<string[]> {
  const applied = await retryLockTimeouts(() =>
    runner({
      databaseUrl: { connectionString: databaseUrl, ...tcpKeepAlive },
      dir: folder,
      direction: 'up',
      migrationsSchema: schema,
      createMigrationsSchema: true,
      migrationsTable: 'migration',
      migrationLoaderStrategies: [migrationFiles],
      // Not 'wait': creating an index concurrently waits for every running statement, including one that waits for this
      // lock, so the two would block each other.
      advisoryLockMode: 'fail',
      logger: silentLogger,
    }),
  )
  return applied.map(({ name }) => name)
}

/**
 * Retries migrations that time out on a lock. They wait for a lock for seconds only, because everyone else waits behind
 * them, and others get their turn in between. A file that failed has changed nothing or can be repeated. While another
 * process migrates, this one waits.
 */
async function retryLockTimeouts<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; )
    try {
      return await run()
    } catch (error) {
      const isOtherRunning = (error as Error).message.startsWith('Another migration is already running')
      if (!isOtherRunning && (!isLockTimeout(error) || attempt === lockAttemptsMax)) throw error
      if (!isOtherRunning) attempt += 1
      await sleep(lockRetryMs)
    }
}

const lockAttemptsMax = 30
const lockRetryMs = 1_000

/**
 * Gives workers a policy on the job queue's tables. These have row-level security without a policy, so that only their
 * owner sees any rows, and workers do not own them. Repeated on each migration, because a new release of the queue can
 * add tables. Tables that have the policy are left alone: replacing it locks them one after the other, which deadlocks
 * with running processes.
 */
async function grantJobQueueToWorkers(client: pg.Client): Promise<void> {
  await client.query(`
    begin;
    grant usage on schema graphile_worker to investor_token_worker;
    grant select, insert, update, delete on all tables in schema graphile_worker to investor_token_worker;
    grant usage on all sequences in schema graphile_worker to investor_token_worker;
    grant execute on all functions in schema graphile_worker to investor_token_worker;
    do $$
    declare queue_table regclass;
    begin
      for queue_table in
        select oid from pg_class where relnamespace = 'graphile_worker'::regnamespace and relrowsecurity
          and not exists (select from pg_policy where polrelid = pg_class.oid and polname = 'for_worker')
      loop
        execute format(
          'create policy for_worker on %s to investor_token_worker using (true) with check (true)', queue_table
        );
      end loop;
    end $$;
    commit`)
}

/** The first migration of a cell stores its name. A different name later means that database URLs were mixed up. */
async function nameCell(client: pg.Client, cell: string): Promise<void> {
  await client.query('insert into cell.identity (name) values ($1) on conflict do nothing', [cell])
  const { rows } = await client.query<{ name: string }>('select name from cell.identity')
  if (rows[0]?.name !== cell)
    throw new MigrationError(`The database given for cell ${cell} is cell ${rows[0]?.name}: check OWNER_CELLS.`)
}

const ignore = () => {}
const silentLogger = Object.assign(
  { debug: ignore, info: ignore, warn: ignore, error: ignore },
  { scope: () => silentLogger },
) as never
