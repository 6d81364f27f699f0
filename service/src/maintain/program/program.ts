import Table from 'cli-table3'
import { Command } from 'commander'
import { readConfigOrExit } from '../../main/start.ts'
import type { Actor, AuditEntry } from '../../platform/api/declare/audit.ts'
import type { Config } from '../../platform/base/config.ts'
import { createLogger, LoggableError, type Logger } from '../../platform/base/log.ts'
import { selectCellsAsOwner } from '../../platform/postgres/cell.sql.ts'
import { withAddress } from '../../platform/postgres/cell-address.ts'
import { Placement } from '../../platform/postgres/cells/placement.ts'
import { inDirectoryTransaction, inTenantTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import { inOwnerConnection } from '../../platform/postgres/owner-connection.ts'
import { type Databases, openDatabases } from '../../platform/postgres/pools.ts'
import { sqlStateOf } from '../../platform/postgres/sql-errors.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { Vaults } from '../../platform/postgres/vault.ts'
import { appendAudit } from '../../records/audit/append-audit.sql.ts'
import type { Chain } from '../../tokens/chain/chain.ts'
import { openChains } from '../../tokens/chain/open-chains.ts'

export const program = new Command('maintain')
  .description('Sets up and maintains an installation. Reads the same settings from the environment as the service.')
  .option('--json', 'print one JSON object instead of a table')
  .showHelpAfterError('(add --help for usage)')

/** The database logins that a command connects with, and the settings that name them. */
const logins = {
  service: 'DATABASE_URL',
  'service and worker': 'DATABASE_URL and WORKER_DATABASE_URL',
  owner: 'OWNER_DATABASE_URL, the owner of the tables',
  superuser: 'OWNER_DATABASE_URL, a superuser',
} as const
type Login = keyof typeof logins

const loginOf = new WeakMap<Command, Login>()

/** Declares a command. `maintain` alone lists all of them by login; docs/operations/maintain.md has the same list. */
export function command(name: string, login: Login): Command {
  const declared = program.command(name).helpGroup(`Commands that connect with ${logins[login]}:`)
  loginOf.set(declared, login)
  return declared
}

/** Actor in the audit log. It has no id, because the command line does not identify the person. */
export const maintenanceActor: Actor = { type: 'maintenance', id: null, requestId: null }

export function audit(tx: Transaction, entry: AuditEntry): Promise<void> {
  return appendAudit(tx, maintenanceActor, entry)
}

/** The command cannot be executed; the message says why. */
export class MaintainError extends LoggableError {
  override readonly name = 'MaintainError'
}

/** Returns the settings. Reads them on first use, so that --help works without any. */
export function config(): Config {
  read ??= readConfigOrExit()
  return read
}
let read: Config | undefined

/**
 * Checks the logins of a command, and reads the cells. Unless CELLS lists the cells, the directory does; every login is
 * known in all of them.
 */
export async function prepareCommand(declared: Command): Promise<void> {
  // `migrate` needs no other setting, creates the table that lists the cells, and reads that table itself.
  if (declared.name() === 'migrate') return
  const login = loginOf.get(declared) ?? 'service'
  const isOfOwner = login === 'owner' || login === 'superuser'
  const settings = config()
  const { databaseUrl, workerDatabaseUrl, ownerDatabaseUrl } = settings
  if (isOfOwner) requireLogin('OWNER_DATABASE_URL', ownerDatabaseUrl)
  const cells = await withRemedy(isOfOwner ? 'OWNER_DATABASE_URL' : 'DATABASE_URL', () =>
    isOfOwner
      ? inOwnerConnection(ownerDatabaseUrl, selectCellsAsOwner)
      : withDatabases(({ databases }) => databases.refreshCells()),
  )
  if (settings.areCellsListed || cells.length === 0) return
  const withLogin = (url: string) => new Map(cells.map(({ name, address }) => [name, withAddress(url, address)]))
  read = {
    ...settings,
    cells: withLogin(databaseUrl),
    workerCells: withLogin(workerDatabaseUrl),
    ownerCells: withLogin(ownerDatabaseUrl),
  }
}

/** Runs work, and explains what to do if PostgreSQL refuses the login of the setting. */
export async function withRemedy<Result>(
  setting: 'DATABASE_URL' | 'OWNER_DATABASE_URL',
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const remedy = remedies[sqlStateOf(error) ?? '']?.(setting)
    throw remedy === undefined ? error : new MaintainError(remedy, { cause: error })
  }
}

const needed = {
  DATABASE_URL: 'a login that has the role investor_token_app',
  OWNER_DATABASE_URL: 'the login that owns the tables',
} as const
const refused = (setting: string) => `PostgreSQL refuses the login or the database of ${setting}: correct it.`
const notMigrated = () => 'The database is not migrated to this release: run maintain migrate.'
const remedies: Readonly<Record<string, (setting: keyof typeof needed) => string>> = {
  '28000': refused,
  '28P01': refused,
  '3D000': refused,
  '3F000': notMigrated,
  '42501': (setting) => `The database login has too few rights. Set ${setting} to ${needed[setting]}.`,
  '42P01': notMigrated,
}

/** Rejects a missing login. Only in development may one login have all rights. */
export function requireLogin(setting: string, url: string): void {
  if (config().environment === 'development' || url !== config().databaseUrl) return
  throw new MaintainError(`${setting} is missing. Set it as docs/operations/maintain.md describes.`)
}

/** Opens the chains of CHAINS, with more patience than a worker: a person would have to repeat a command that fails. */
export function chainsOfConfig(): ReadonlyMap<string, Chain> {
  return openChains(config(), silentLog, nodeTimeoutMs)
}
const nodeTimeoutMs = 15_000

/** The command prints what a person needs to know. */
export const silentLog: Logger = createLogger('silent', 'maintain')

/** Runs work in a transaction on a tenant's rows in the directory. */
export function inDirectory<Result>(tenantId: string, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  return withDatabases(({ databases }) => inDirectoryTransaction(databases, { tenantId, access: 'write' }, work))
}

/** Runs work in a transaction in the tenant's cell. */
export function inTenant<Result>(
  tenantId: string,
  work: (tx: Transaction, vaults: Vaults) => Promise<Result>,
  msMax?: number,
): Promise<Result> {
  return withDatabases((context) =>
    inTenantTransaction(context, { tenantId, access: 'write', msMax }, (tx) => work(tx, context.vaults)),
  )
}

interface Opened {
  readonly databases: Databases
  readonly placement: Placement
  readonly vaults: Vaults
}

/** Opens the databases and the tenants' vaults while the work runs. */
export async function withDatabases<Result>(work: (opened: Opened) => Promise<Result>): Promise<Result> {
  const databases = openDatabases(config(), silentLog)
  try {
    return await work({
      databases,
      placement: new Placement(databases),
      vaults: new Vaults(config().dataMasterKeys),
    })
  } finally {
    await databases.end()
  }
}

export function print(fields: Record<string, string | number | boolean | readonly string[]>): void {
  if (program.opts<{ json?: boolean }>().json) {
    process.stdout.write(`${JSON.stringify(fields)}\n`)
    return
  }
  const table = new Table({ style: { head: [], border: [] } })
  for (const [name, value] of Object.entries(fields))
    table.push({ [name.replaceAll('_', ' ')]: Array.isArray(value) ? value.join('\n') : String(value) })
  process.stdout.write(`${table.toString()}\n`)
}

/** Prints one line for each row. */
export function printRows(name: string, rows: readonly Record<string, string | number | null>[]): void {
  if (program.opts<{ json?: boolean }>().json) {
    process.stdout.write(`${JSON.stringify({ [name]: rows })}\n`)
    return
  }
  const columns = Object.keys(rows[0] ?? {})
  const head = columns.map((column) => column.replaceAll('_', ' '))
  const table = new Table({ head, style: { head: [], border: [] } })
  for (const row of rows) table.push(columns.map((column) => String(row[column] ?? '')))
  process.stdout.write(`${table.toString()}\n`)
}

/** Prints a note for people; with --json, prints nothing. */
export function printNote(sentence: string): void {
  if (!program.opts<{ json?: boolean }>().json) process.stdout.write(`${sentence}\n`)
}

/** Overwrites one line, and only on a terminal. */
export function showProgress(begin: string, count: number, end: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${begin} ${count.toLocaleString('en')} ${end}`)
}
