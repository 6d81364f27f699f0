import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'

/** Inserts the tenant into the directory. */
export async function insertTenant(
  tx: Transaction,
  { tenantId, name, cell }: { tenantId: string; name: string; cell: string },
): Promise<void> {
  await tx.rows(sql`insert into directory.tenant (id, name, cell) values (${tenantId}, ${name}, ${cell})`)
  // The user who records a payment or prepares a payout must not release it.
  await tx.rows(sql`
    insert into directory.forbidden_duty_pair (tenant_id, duty, other_duty) values (${tenantId}, 'money', 'release')`)
}

/** Inserts the row in the tenant's cell that all other rows of the tenant reference. */
export async function insertTenantIntoCell(tx: Transaction, tenantId: string): Promise<void> {
  await tx.rows(sql`insert into cell.tenant (id) values (${tenantId})`)
}

/** Returns false if the tenant does not exist. */
export async function disableTenant(tx: Transaction, tenantId: string): Promise<boolean> {
  const disabled = await tx.row(sql`
    update directory.tenant set disabled_at = coalesce(disabled_at, now()) where id = ${tenantId} returning id`)
  return disabled !== undefined
}

export async function findTenantName(tx: Transaction, tenantId: string): Promise<string | undefined> {
  const found = await tx.row<{ name: string }>(sql`select name from directory.tenant where id = ${tenantId}`)
  return found?.name
}

export async function tenantExists(tx: Transaction, tenantId: string): Promise<boolean> {
  return (await tx.row(sql`select from directory.tenant where id = ${tenantId}`)) !== undefined
}
