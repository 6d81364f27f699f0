import { issueCredential } from '../access/credentials/issue-credential.ts'
import { rotateSecret } from '../access/credentials/rotate-secret.ts'
import { switchOffCredential } from '../access/credentials/switch-off-credential.ts'
import { createTenant } from '../access/tenants/create-tenant.ts'
import { disableTenant, tenantExists } from '../access/tenants/tenant.sql.ts'
import { type Scope, scopes } from '../platform/api/declare/scopes.ts'
import { type VersionName, versionNames } from '../platform/api/server/versions.ts'
import { OwnError } from '../platform/base/log.ts'
import { migrate } from '../platform/db/migrate.ts'
import { Vaults } from '../platform/db/vault.ts'
import { appendAudit } from '../records/audit/append-audit.sql.ts'
import { recordEventLater } from '../records/events/record-directory-event.job.ts'
import { hours, rate, scopeList, text, uuid, version } from './maintain-arguments.ts'
import './maintain-operators.ts'
import './maintain-signers.ts'
import './maintain-statements.ts'
import './maintain-tokens.ts'
import {
  config,
  inDirectory,
  inTenant,
  maintenance,
  print,
  program,
  Refused,
  remark,
  withDatabases,
} from './maintain-program.ts'

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
    const wanted = { name: options.name, cell, by: maintenance }
    const tenantId = await withDatabases((databases) =>
      createTenant(databases, new Vaults(config().dataMasterKeys), wanted),
    )
    print({ tenant_id: tenantId, name: options.name, cell })
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
      const { tenant: tenantId, name, requestsPerMinute } = options
      const issued = await inDirectory(tenantId, async (tx) => {
        if (!(await tenantExists(tx, tenantId))) throw new Refused(`There is no tenant ${tenantId}.`)
        const defaultVersion = options.defaultVersion ?? null
        const wanted = { tenantId, name, scopes: options.scopes, defaultVersion, requestsPerMinute }
        const made = await issueCredential(tx, config().secretPeppers, wanted)
        const shown = { scopes: options.scopes, requests_per_minute: requestsPerMinute }
        const data = { client_id: made.clientId, ...shown }
        await recordEventLater(tx, tenantId, { type: 'credential.issued', data })
        await appendAudit(tx, maintenance, {
          action: 'credential.issued',
          subject: { type: 'credential', id: made.clientId },
          after: { name, ...shown, default_version: defaultVersion },
        })
        return made
      })
      print({
        tenant_id: tenantId,
        client_id: issued.clientId,
        client_secret: issued.clientSecret,
        scopes: options.scopes,
        requests_per_minute: requestsPerMinute,
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
  .action(async (options: { tenant: string; client: string; overlapHours: number }) => {
    const { tenant: tenantId, client: clientId, overlapHours } = options
    const rotated = await inDirectory(tenantId, async (tx) => {
      const wanted = { tenantId, clientId, overlapSeconds: overlapHours * 3600 }
      const made = await rotateSecret(tx, config().secretPeppers, wanted)
      if ('refused' in made)
        throw new Refused(
          made.refused === 'disabled'
            ? `Credential ${clientId} is disabled.`
            : `Tenant ${tenantId} has no credential ${clientId}.`,
        )
      await recordEventLater(tx, tenantId, { type: 'credential.rotated', data: { client_id: clientId } })
      const subject = { type: 'credential', id: clientId }
      await appendAudit(tx, maintenance, {
        action: 'credential.rotated',
        subject,
        after: { overlap_hours: overlapHours },
      })
      return made
    })
    print({
      tenant_id: tenantId,
      client_id: clientId,
      client_secret: rotated.clientSecret,
      old_secret_ends_in_hours: overlapHours,
    })
    remark('The secret is shown this once and stored nowhere: keep it now.')
  })

program
  .command('disable-credential')
  .description('refuse a credential and the tokens it already has, within seconds')
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .requiredOption('--client <id>', 'the credential', uuid)
  .action(async ({ tenant: tenantId, client: clientId }: { tenant: string; client: string }) => {
    await inDirectory(tenantId, async (tx) => {
      const outcome = await switchOffCredential(tx, { tenantId, clientId })
      if (!outcome) throw new Refused(`Tenant ${tenantId} has no credential ${clientId}.`)
      if (outcome === 'already disabled') return
      await recordEventLater(tx, tenantId, { type: 'credential.disabled', data: { client_id: clientId } })
      const subject = { type: 'credential', id: clientId }
      await appendAudit(tx, maintenance, { action: 'credential.disabled', subject })
    })
    print({ tenant_id: tenantId, client_id: clientId, disabled: true })
  })

program
  .command('disable-tenant')
  .description('refuse every credential and admin of a tenant, and the tokens they have, within seconds')
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .action(async ({ tenant: tenantId }: { tenant: string }) => {
    await inDirectory(tenantId, async (tx) => {
      if (!(await disableTenant(tx, tenantId))) throw new Refused(`There is no tenant ${tenantId}.`)
      await appendAudit(tx, maintenance, { action: 'tenant.disabled', subject: { type: 'tenant', id: tenantId } })
    })
    print({ tenant_id: tenantId, disabled: true })
  })

program
  .command('rotate-data-key')
  .description('give a tenant a new key for its bank and tax data; what older keys sealed stays readable')
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .action(async ({ tenant: tenantId }: { tenant: string }) => {
    await inTenant(tenantId, async (tx, vaults) => {
      await vaults.addKey(tx, tenantId)
      await appendAudit(tx, maintenance, {
        action: 'tenant.data_key_rotated',
        subject: { type: 'tenant', id: tenantId },
      })
    })
    print({ tenant_id: tenantId, rotated: true })
  })

program
  .command('rewrap-data-keys')
  .description('wrap the data keys of a tenant with the first of DATA_MASTER_KEYS, so that older ones can be dropped')
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .action(async ({ tenant: tenantId }: { tenant: string }) => {
    const masterKey = config().dataMasterKeys.current.id
    const count = await inTenant(tenantId, async (tx, vaults) => {
      const rewrapped = await vaults.rewrapKeys(tx, tenantId)
      const subject = { type: 'tenant', id: tenantId }
      const after = { rewrapped, master_key: masterKey }
      await appendAudit(tx, maintenance, { action: 'tenant.data_keys_rewrapped', subject, after })
      return rewrapped
    })
    print({ tenant_id: tenantId, rewrapped: count, master_key: masterKey })
  })

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof OwnError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

function onlyCell(): string {
  const [first, ...others] = config().cells.keys()
  if (first === undefined || others.length > 0)
    throw new Refused(`Say in which cell with --cell: there are ${[...config().cells.keys()].join(', ')}.`)
  return first
}
