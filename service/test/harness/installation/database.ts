import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'

/** Server for test databases. The login must be able to create databases and roles. */
const serverUrl = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
export const redisUrl = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379'

const sharedPrefix = 'investor_token_test_'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** Creates a database for one test file by cloning a template, which is migrated once per state of the migrations. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const template = await ensureTemplate()
  const name = `${sharedPrefix}${randomBytes(6).toString('hex')}`
  await onServer((client) => client.query(`create database ${name} template ${template}`))
  return {
    url: urlOf(name),
    drop: async () => {
      await onServer((client) => client.query(`drop database if exists ${name} with (force)`))
    },
  }
}

/** Restores a backup of a database beside it. */
export async function copyDatabase(url: string): Promise<TestDatabase> {
  const copy = await createEmptyDatabase()
  const run = promisify(execFile)
  const { stdout } = await run('pg_dump', ['--dbname', url], { maxBuffer: 1e9 })
  const restore = run('psql', ['--quiet', '--set', 'ON_ERROR_STOP=1', '--dbname', copy.url])
  restore.child.stdin?.end(stdout)
  await restore
  return copy
}

/** Creates an empty database, for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = `investor_token_empty_${randomBytes(6).toString('hex')}`
  await onServer((client) => client.query(`create database ${name}`))
  return {
    url: urlOf(name),
    drop: async () => {
      await onServer((client) => client.query(`drop database if exists ${name} with (force)`))
    },
  }
}

/** Runs work as the owner of everything, for things that no process may do, such as bypassing row-level security. */
export async function asOwner<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  return isShared(new URL(url)) ? withSharedConnection(url, work) : withNewConnection(url, work)
}

/** Runs one statement as the owner of everything. Returns its rows. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read rows without types, as the driver returns them
export async function ownerRows<Row extends pg.QueryResultRow = any>(
  url: string,
  text: string,
  values?: unknown[],
): Promise<Row[]> {
  return asOwner(url, async (client) => (await client.query<Row>(text, values)).rows)
}

/** Returns false for a server that the test may stop, and a restored database, which must have no other connections. */
function isShared({ host, pathname }: URL): boolean {
  return host === new URL(serverUrl).host && pathname.startsWith(`/${sharedPrefix}`)
}

async function withNewConnection<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = await connect(url)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const ownerPools = new Map<string, pg.Pool>()

/** Reuses connections: tests ask thousands of times, and a new one costs PostgreSQL 40 times as much as a query. */
async function withSharedConnection<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const pool = ownerPools.get(url) ?? openOwnerPool(url)
  const client = await pool.connect()
  let isClean = false
  try {
    const result = await work(client as unknown as pg.Client)
    isClean = await reset(client)
    return result
  } finally {
    client.release(!isClean)
  }
}

/** Like `discard all`, but keeps prepared statements, which the client remembers. */
const resetConnection = `rollback; set session authorization default; reset all; close all; unlisten *;
  select pg_advisory_unlock_all(); discard temp`

/** Resets the connection to a new one's state: no transaction, locks or settings. Returns false if it is broken. */
async function reset(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query(resetConnection)
    return true
  } catch {
    return false
  }
}

function openOwnerPool(url: string): pg.Pool {
  // Some tests need many connections at once, which would otherwise wait for each other.
  const pool = new pg.Pool({ connectionString: url, max: 100, idleTimeoutMillis: 2_000, allowExitOnIdle: true })
  // A database is dropped while connections to it are open.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  ownerPools.set(url, pool)
  return pool
}

/** Opens a connection for the caller to end. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  // A broken connection would end the process if nothing listened.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function ensureTemplate(): Promise<string> {
  const template = `investor_token_template_${migrationsHash()}`
  await onServer(async (client) => {
    // Test files run concurrently: the first builds the template, the others wait for it.
    await client.query(`select pg_advisory_lock(hashtext('investor_token_template'))`)
    const existing = await client.query('select from pg_database where datname = $1', [template])
    if (existing.rowCount) return
    // One test file of a run migrates; the others need not load the migrator.
    const { migrate } = await import('../../../src/maintain/migrate/migrate.ts')
    const building = `${template}_building`
    await client.query(`drop database if exists ${building} with (force)`)
    await client.query(`create database ${building}`)
    const url = urlOf(building)
    await migrate({ ownerDatabaseUrl: url, ownerCells: new Map([['main', url]]) }, () => {})
    await client.query(`alter database ${building} rename to ${template}`)
  })
  return template
}

function migrationsHash(): string {
  const folder = fileURLToPath(new URL('../../../migrations/', import.meta.url))
  const runner = fileURLToPath(new URL('../../../src/maintain/migrate/migrate.ts', import.meta.url))
  const hash = createHash('sha256').update(readFileSync(runner))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.sql'))
  for (const file of files.toSorted()) hash.update(file).update(readFileSync(folder + file))
  return hash.digest('hex').slice(0, 12)
}

function urlOf(database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

function onServer<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  return withNewConnection(serverUrl, work)
}
