import { disableIssuedCredential } from '../access/credentials/disable-issued-credential.ts'
import { issueCredential } from '../access/credentials/issue-credential.ts'
import { rotateSecret } from '../access/credentials/rotate-secret.ts'
import { revokeSessions } from '../access/sessions/session.sql.ts'
import { createTenant } from '../access/tenants/create-tenant.ts'
import { disableTenant, enableTenant, tenantExists } from '../access/tenants/tenant.sql.ts'
import { type Scope, scopes } from '../platform/api/declare/scopes.ts'
import { systemClock } from '../platform/base/clock.ts'
import { type VersionName, versionNames } from '../platform/base/contract-versions.ts'
import { LoggableError } from '../platform/base/log.ts'
import { translateConnectionErrors } from '../platform/postgres/sql-errors.ts'
import { enqueueDirectoryEvent } from '../records/events/record-directory-event.job.ts'
import { migrate } from './migrate/migrate.ts'
import {
  jurisdiction,
  limit,
  oneWordOf,
  type PersonToInvite,
  personToInvite,
  provider,
  scopeList,
  text,
  uuid,
} from './program/arguments.ts'
import './commands/cells.ts'
import './commands/copies.ts'
import './commands/data-keys.ts'
import './commands/export.ts'
import './commands/limits.ts'
import './commands/moves.ts'
import { invitePerson } from './commands/users.ts'
import './commands/sign-in.ts'
import './commands/restore.ts'
import './commands/search.ts'
import './commands/signers.ts'
import './commands/statements.ts'
import './commands/summaries.ts'
import './commands/tokens.ts'
import { readOwnerConfigOrExit } from '../main/start.ts'
import {
  audit,
  command,
  config,
  inDirectory,
  MaintainError,
  maintenanceActor,
  prepareCommand,
  print,
  printNote,
  program,
  withDatabases,
  withRemedy,
} from './program/program.ts'
import { tenantCommand } from './program/tenant-command.ts'

command('migrate', 'owner')
  .description('migrate all databases to this release')
  .action(async () => {
    const applied: string[] = []
    const settings = readOwnerConfigOrExit()
    await withRemedy('OWNER_DATABASE_URL', () => migrate(settings, (name) => applied.push(name)))
    print({ applied: applied.length, migrations: applied.length > 0 ? applied : ['none'] })
  })

interface NewTenantOptions {
  readonly name: string
  readonly invite: PersonToInvite[]
  readonly provider?: string
  readonly cell?: string
  readonly jurisdiction?: string
}

command('create-tenant', 'service')
  .description('create a tenant in a cell and invite the first two people by mail')
  .requiredOption('--name <name>', 'name of the tenant', text(200))
  .requiredOption(
    '--invite <name and address>',
    'a person to invite, written "Grace Hopper <grace@example.com>"; give it twice, since one alone can only propose',
    (value: string, previous: PersonToInvite[] | undefined) => [...(previous ?? []), personToInvite(value)],
  )
  .option(
    '--provider <name>',
    'the identity provider of its people, from OIDC_PROVIDERS; without it: passkeys',
    provider,
  )
  .option('--cell <name>', 'the cell that stores its data; by default the open one with most room')
  .option('--jurisdiction <code>', 'choose among the cells of this jurisdiction only, such as EU', jurisdiction)
  .action(async (options: NewTenantOptions) => {
    const { invite: people, provider: identityProvider = null, ...wanted } = options
    if (people.length !== 2 || people[0]?.email.toLowerCase() === people[1]?.email.toLowerCase())
      throw new MaintainError('Give --invite twice, for two people with different addresses.')
    const tenant = { ...wanted, identityProvider, by: maintenanceActor }
    const { tenantId, cell } = await withDatabases(({ databases, vaults }) => createTenant(databases, vaults, tenant))
    for (const person of people) await invitePerson(tenantId, { ...person, role: 'admin' })
    print({ tenant_id: tenantId, name: wanted.name, cell, invited: people.map(({ email }) => email) })
  })

tenantCommand('issue-credential', 'service')
  .description('issue a client_id and a client_secret for an integrator of a tenant')
  .option('--name <name>', 'a name for the credential', text(200), 'credential')
  .option('--scopes <list>', `comma-separated, from ${scopes.join(', ')}`, scopeList, [...scopes])
  .option(
    '--default-version <date>',
    `the API version if POST /auth sets none: one of ${versionNames.join(', ')}`,
    oneWordOf(versionNames),
  )
  .option('--requests-per-minute <number>', 'its rate limit', limit(1, 60_000), 30)
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
        if (!(await tenantExists(tx, tenantId))) throw new MaintainError(`Tenant ${tenantId} does not exist.`)
        const defaultVersion = options.defaultVersion ?? null
        const credential = { tenantId, name, scopes: options.scopes, defaultVersion, requestsPerMinute }
        const created = await issueCredential(tx, config().secretPeppers, credential)
        const shown = { scopes: options.scopes, requests_per_minute: requestsPerMinute }
        const data = { client_id: created.clientId, ...shown }
        await enqueueDirectoryEvent(tx, tenantId, { type: 'credential.issued', data })
        await audit(tx, {
          action: 'credential.issued',
          subject: { type: 'credential', id: created.clientId },
          after: { name, ...shown, default_version: defaultVersion },
        })
        return created
      })
      print({
        tenant_id: tenantId,
        client_id: issued.clientId,
        client_secret: issued.clientSecret,
        scopes: options.scopes,
        requests_per_minute: requestsPerMinute,
      })
      printNote('The secret is shown only once and cannot be retrieved later: store it now.')
    },
  )

tenantCommand('rotate-credential', 'service')
  .description('issue a new secret for a credential; the current one expires after the overlap')
  .requiredOption('--client <id>', 'the credential', uuid)
  .option(
    '--overlap-hours <hours>',
    'how long the old secret stays valid; 0 revokes it and its tokens immediately',
    limit(0, 24 * 30),
    24,
  )
  .action(async (options: { tenant: string; client: string; overlapHours: number }) => {
    const { tenant: tenantId, client: clientId, overlapHours } = options
    const rotated = await inDirectory(tenantId, async (tx) => {
      const rotation = { tenantId, clientId, overlapSeconds: overlapHours * 3600 }
      const result = await rotateSecret(tx, config().secretPeppers, rotation)
      if ('rejected' in result)
        throw new MaintainError(
          result.rejected === 'disabled'
            ? `Credential ${clientId} is disabled.`
            : `Tenant ${tenantId} has no credential ${clientId}.`,
        )
      await enqueueDirectoryEvent(tx, tenantId, { type: 'credential.rotated', data: { client_id: clientId } })
      const subject = { type: 'credential', id: clientId }
      await audit(tx, {
        action: 'credential.rotated',
        subject,
        after: { overlap_hours: overlapHours },
      })
      return result
    })
    print({
      tenant_id: tenantId,
      client_id: clientId,
      client_secret: rotated.clientSecret,
      old_secret_ends_in_hours: overlapHours,
    })
    printNote('The secret is shown only once and cannot be retrieved later: store it now.')
  })

tenantCommand('disable-credential', 'service')
  .description('disable a credential and its tokens, effective within seconds')
  .requiredOption('--client <id>', 'the credential', uuid)
  .action(async ({ tenant: tenantId, client: clientId }: { tenant: string; client: string }) => {
    await inDirectory(tenantId, async (tx) => {
      const outcome = await disableIssuedCredential(tx, { tenantId, clientId })
      if (!outcome) throw new MaintainError(`Tenant ${tenantId} has no credential ${clientId}.`)
      if (outcome === 'already disabled') return
      await enqueueDirectoryEvent(tx, tenantId, { type: 'credential.disabled', data: { client_id: clientId } })
      const subject = { type: 'credential', id: clientId }
      await audit(tx, { action: 'credential.disabled', subject })
    })
    print({ tenant_id: tenantId, client_id: clientId, disabled: true })
  })

tenantCommand('disable-tenant', 'service')
  .description('disable all credentials and users of a tenant and their tokens, effective within seconds')
  .action(async ({ tenant: tenantId }: { tenant: string }) => {
    await inDirectory(tenantId, async (tx) => {
      if (!(await disableTenant(tx, tenantId))) throw new MaintainError(`Tenant ${tenantId} does not exist.`)
      await audit(tx, { action: 'tenant.disabled', subject: { type: 'tenant', id: tenantId } })
    })
    print({ tenant_id: tenantId, disabled: true })
  })

tenantCommand('enable-tenant', 'service')
  .description('undo disable-tenant; people must sign in again')
  .action(async ({ tenant: tenantId }: { tenant: string }) => {
    await inDirectory(tenantId, async (tx) => {
      if (!(await enableTenant(tx, tenantId)))
        throw new MaintainError(`Tenant ${tenantId} does not exist or is not disabled.`)
      // A stolen session may be why the tenant was disabled, and nobody could revoke it meanwhile.
      await revokeSessions(tx, { tenantId }, systemClock())
      await audit(tx, { action: 'tenant.enabled', subject: { type: 'tenant', id: tenantId } })
    })
    print({ tenant_id: tenantId, enabled: true })
  })

program.hook('preAction', (_, declared) => prepareCommand(declared))

try {
  await translateConnectionErrors(() => program.parseAsync())
} catch (error) {
  if (!(error instanceof LoggableError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
