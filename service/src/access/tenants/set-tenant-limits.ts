import type { Actor } from '../../platform/api/declare/audit.ts'
import {
  inDirectoryTransaction,
  inTenantTransaction,
  type TenantDatabases,
} from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { appendAudit } from '../../records/audit/append-audit.sql.ts'
import { findCellLimits, lockDirectoryLimits, updateCellLimits, updateDirectoryLimits } from './tenant-limits.sql.ts'
import type { TenantLimits } from './tenant-limits.ts'

/**
 * Changes limits of a tenant and returns all of them; undefined if the tenant does not exist. Each part is audited
 * where it is stored. A lower limit removes nothing: it only rejects what would be added.
 */
export async function setTenantLimits(
  context: TenantDatabases,
  tenantId: string,
  changed: Partial<TenantLimits>,
  by: Actor,
): Promise<TenantLimits | undefined> {
  const directory = await inDirectoryTransaction(context.databases, { tenantId, access: 'write' }, async (tx) => {
    const before = await lockDirectoryLimits(tx, tenantId)
    if (!before) return undefined
    return changeLimits(tx, { tenantId, before, changed, by }, (after) => updateDirectoryLimits(tx, tenantId, after))
  })
  if (!directory) return undefined
  const cell = await inTenantTransaction(context, { tenantId, access: 'write' }, async (tx) => {
    const before = await findCellLimits(tx, tenantId)
    return changeLimits(tx, { tenantId, before, changed, by }, (after) => updateCellLimits(tx, tenantId, after))
  })
  return { ...directory, ...cell }
}

/** Changes and audits the limits in `before` that differ. */
async function changeLimits<Limits extends Partial<TenantLimits>>(
  tx: Transaction,
  change: { tenantId: string; before: Limits; changed: Partial<TenantLimits>; by: Actor },
  update: (after: Limits) => Promise<void>,
): Promise<Limits> {
  const { tenantId, before, changed, by } = change
  const names = (Object.keys(before) as (keyof TenantLimits)[]).filter(
    (name) => changed[name] !== undefined && changed[name] !== before[name],
  )
  if (names.length === 0) return before
  const after = { ...before, ...Object.fromEntries(names.map((name) => [name, changed[name]])) }
  await update(after)
  const of = (limits: Limits) => Object.fromEntries(names.map((name) => [inSnakeCase(name), limits[name]]))
  const subject = { type: 'tenant', id: tenantId }
  await appendAudit(tx, by, { action: 'tenant.limits_changed', subject, before: of(before), after: of(after) })
  return after
}

export function inSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
