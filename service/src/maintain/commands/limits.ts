// Commands for the limits of a tenant.
import type { Command } from 'commander'
import { inSnakeCase, setTenantLimits } from '../../access/tenants/set-tenant-limits.ts'
import type { TenantLimits } from '../../access/tenants/tenant-limits.ts'
import { limit } from '../program/arguments.ts'
import { MaintainError, maintenanceActor, print, withDatabases } from '../program/program.ts'
import { tenantCommand } from '../program/tenant-command.ts'

const options: [flag: string, description: string, max: number, min?: number][] = [
  ['--requests-per-minute <number>', 'of all its enabled credentials together', 600_000, 1],
  ['--credentials <number>', 'enabled credentials', 10_000],
  ['--users <number>', 'users of the operator API', 10_000],
  ['--personal-tokens <number>', 'valid personal access tokens of all its users', 100_000],
  ['--invitations-per-day <number>', 'users invited in 24 hours', 10_000],
  ['--payment-providers <number>', 'enabled payment providers', 1_000],
  ['--webhook-endpoints <number>', 'webhook endpoints', 1_000],
  ['--file-mebibytes <number>', 'MiB of documents, imported bank files and exports', 16_777_216],
]

const limits: Command = tenantCommand('set-tenant-limits', 'service').description(
  'change what a tenant may have at most, and print all its limits; without a limit, only print them',
)
for (const [flag, description, max, min = 0] of options) limits.option(flag, description, limit(min, max))
limits.action(async ({ tenant: tenantId, ...changed }: { tenant: string } & Partial<TenantLimits>) => {
  const stored = await withDatabases((opened) => setTenantLimits(opened, tenantId, changed, maintenanceActor))
  if (!stored) throw new MaintainError(`Tenant ${tenantId} does not exist.`)
  const shown = Object.fromEntries(Object.entries(stored).map(([name, value]) => [inSnakeCase(name), value]))
  print({ tenant_id: tenantId, ...shown })
})
