import Table from 'cli-table3'
import { Command } from 'commander'
import type { Config } from '../base/config.ts'
import { createLogger, OwnError } from '../base/log.ts'
import { disableCredential } from '../credentials/disable-credential.ts'
import { issueCredential } from '../credentials/issue-credential.ts'
import { rotateCredential } from '../credentials/rotate-credential.ts'
import { migrate } from '../db/migrate.ts'
import { Placement } from '../db/placement.ts'
import { type Databases, openDatabases } from '../db/pools.ts'
import { inDirectoryTransaction, inTenantTransaction } from '../db/tenant-transaction.ts'
import type { Transaction } from '../db/transaction.ts'
import { Vaults } from '../db/vault.ts'
import { type Scope, scopes } from '../http/scopes.ts'
import { type VersionName, versionNames } from '../http/versions.ts'
import { addAdministrator } from '../tenants/add-administrator.ts'
import { createTenant } from '../tenants/create-tenant.ts'
import { disableTenant, tenantExists } from '../tenants/tenant.sql.ts'
import { emailAddress, hours, rate, scopeList, text, uuid, version } from './maintain-arguments.ts'
import { readConfigOrExit } from './start.ts'

/** Read when a command needs it, so that --help answers without any setting. */
let read: Config | undefined
function config(): Config {
  read ??= readConfigOrExit()
  return read
}

const program = new Command('maintain')
  .description('Sets up and looks after an installation. Settings are those of the service, from the environment.')
  .option('--json', 'print one JSON object instead of a table')
  .showHelpAfterError('(add --help for what there is)')

program
  .command('migrate')
  .description('bring every database to the state that this release needs')
  .action(async () => {
    const applied: string[] = []
    await migrate(config(), (name) => applied.push(name))
    print({ applied: applied.length, migrations: applied.length > 0 ? applied : ['none: all current'] })
  })

program
  .command('create-tenant')
  .description('add a tenant and place it in a cell')
  .requiredOption('--name <name>', 'name of the tenant', text(200))
  .option('--cell <name>', 'the cell it shall live in; may be left out while there is only one')
  .action(async (options: { name: string; cell?: string }) => {
    const cell = options.cell ?? onlyCell()
    const tenantId = await withDatabases((databases) =>
      createTenant(databases, new Vaults(config().dataMasterKeys), { name: options.name, cell }),
    )
    print({ tenant_id: tenantId, name: options.name, cell })
  })

program
  .command('add-administrator')
  .description('add a person who is told when something is wrong with the tenant')
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .requiredOption('--name <name>', 'name of the person', text(200))
  .requiredOption('--email <address>', 'where to write to', emailAddress)
  .action(async ({ tenant, name, email }: { tenant: string; name: string; email: string }) => {
    const added = await withDatabases((databases) =>
      inDirectoryTransaction(databases, { tenantId: tenant, access: 'write' }, (tx) =>
        addAdministrator(tx, { tenantId: tenant, name, email }),
      ),
    )
    if ('refused' in added)
      throw new Refused(
        added.refused === 'no such tenant'
          ? `There is no tenant ${tenant}.`
          : `${email} is an administrator of this tenant already.`,
      )
    print({ administrator_id: added.administratorId, tenant_id: tenant, name, email })
  })

program
  .command('issue-credential')
  .description('give an integrator of a tenant a client_id and a client_secret')
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .option('--name <name>', 'what it is for', text(200), 'credential')
  .option('--scopes <list>', `with commas between them; of ${scopes.join(', ')}`, scopeList, [...scopes])
  .option(
    '--default-version <date>',
    `contract version when POST /auth names none; of ${versionNames.join(', ')}`,
    version,
  )
  .option('--requests-per-minute <number>', 'its own rate limit', rate, 30)
  .action(
    async (options: {
      tenant: string
      name: string
      scopes: Scope[]
      defaultVersion?: VersionName
      requestsPerMinute: number
    }) => {
      const tenantId = options.tenant
      const issued = await withDatabases((databases) =>
        inDirectoryTransaction(databases, { tenantId, access: 'write' }, async (tx) => {
          if (!(await tenantExists(tx, tenantId))) throw new Refused(`There is no tenant ${tenantId}.`)
          return issueCredential(tx, config().secretPeppers, {
            tenantId,
            name: options.name,
            scopes: options.scopes,
            defaultVersion: options.defaultVersion ?? null,
            requestsPerMinute: options.requestsPerMinute,
          })
        }),
      )
      print({
        tenant_id: tenantId,
        client_id: issued.clientId,
        client_secret: issued.clientSecret,
        scopes: options.scopes,
        requests_per_minute: options.requestsPerMinute,
      })
      remark('The secret is shown this once and stored nowhere: keep it now.')
    },
  )

program
  .command('rotate-credential')
  .description('give a credential a second secret; the one in use ends after the overlap')
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .requiredOption('--client <id>', 'the credential', uuid)
  .option(
    '--overlap-hours <hours>',
    'how long the old secret goes on working; 0 ends it and its tokens at once',
    hours,
    24,
  )
  .action(async ({ tenant, client, overlapHours }: { tenant: string; client: string; overlapHours: number }) => {
    const issued = await withDatabases((databases) =>
      inDirectoryTransaction(databases, { tenantId: tenant, access: 'write' }, (tx) =>
        rotateCredential(tx, config().secretPeppers, {
          tenantId: tenant,
          clientId: client,
          overlapSeconds: overlapHours * 3600,
        }),
      ),
    )
    if (!issued) throw new Refused(`Tenant ${tenant} has no credential ${client}.`)
    print({
      tenant_id: tenant,
      client_id: client,
      client_secret: issued.clientSecret,
      old_secret_ends_in_hours: overlapHours,
    })
    remark('The secret is shown this once and stored nowhere: keep it now.')
  })

program
  .command('disable-credential')
  .description('refuse a credential and the tokens it already has, within seconds')
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .requiredOption('--client <id>', 'the credential', uuid)
  .action(async ({ tenant, client }: { tenant: string; client: string }) => {
    const isDone = await withDatabases((databases) =>
      inDirectoryTransaction(databases, { tenantId: tenant, access: 'write' }, (tx) =>
        disableCredential(tx, { tenantId: tenant, clientId: client }),
      ),
    )
    if (!isDone) throw new Refused(`Tenant ${tenant} has no credential ${client}.`)
    print({ tenant_id: tenant, client_id: client, disabled: true })
  })

program
  .command('disable-tenant')
  .description('refuse every credential of a tenant and the tokens they already have, within seconds')
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .action(async ({ tenant }: { tenant: string }) => {
    const isDone = await withDatabases((databases) =>
      inDirectoryTransaction(databases, { tenantId: tenant, access: 'write' }, (tx) => disableTenant(tx, tenant)),
    )
    if (!isDone) throw new Refused(`There is no tenant ${tenant}.`)
    print({ tenant_id: tenant, disabled: true })
  })

program
  .command('rotate-data-key')
  .description('give a tenant a new key for its bank and tax data; what older keys sealed stays readable')
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .action(async ({ tenant }: { tenant: string }) => {
    await inTenant(tenant, (tx, vaults) => vaults.addKey(tx, tenant))
    print({ tenant_id: tenant, rotated: true })
  })

program
  .command('rewrap-data-keys')
  .description('wrap the data keys of a tenant with the first of DATA_MASTER_KEYS, so that older ones can be dropped')
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .action(async ({ tenant }: { tenant: string }) => {
    const count = await inTenant(tenant, (tx, vaults) => vaults.rewrapKeys(tx, tenant))
    print({ tenant_id: tenant, rewrapped: count, master_key: config().dataMasterKeys.current.id })
  })

/** What was asked for cannot be done; the sentence says why. */
class Refused extends OwnError {
  override readonly name = 'Refused'
}

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof OwnError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

/** Work in the tenant's cell. */
function inTenant<Result>(
  tenantId: string,
  work: (tx: Transaction, vaults: Vaults) => Promise<Result>,
): Promise<Result> {
  return withDatabases((databases) =>
    inTenantTransaction({ databases, placement: new Placement(databases) }, { tenantId, access: 'write' }, (tx) =>
      work(tx, new Vaults(config().dataMasterKeys)),
    ),
  )
}

async function withDatabases<Result>(work: (databases: Databases) => Promise<Result>): Promise<Result> {
  const databases = openDatabases(config(), createLogger('silent', 'maintain'))
  try {
    return await work(databases)
  } finally {
    await databases.end()
  }
}

function print(fields: Record<string, string | number | boolean | readonly string[]>): void {
  if (program.opts<{ json?: boolean }>().json) {
    process.stdout.write(`${JSON.stringify(fields)}\n`)
    return
  }
  const table = new Table({ style: { head: [], border: [] } })
  for (const [name, value] of Object.entries(fields))
    table.push({ [name.replaceAll('_', ' ')]: Array.isArray(value) ? value.join('\n') : String(value) })
  process.stdout.write(`${table.toString()}\n`)
}

/** For people only: a script reads the JSON. */
function remark(sentence: string): void {
  if (!program.opts<{ json?: boolean }>().json) process.stdout.write(`${sentence}\n`)
}

function onlyCell(): string {
  const [first, ...others] = config().cells.keys()
  if (first === undefined || others.length > 0)
    throw new Refused(`Say in which cell with --cell: there are ${[...config().cells.keys()].join(', ')}.`)
  return first
}
