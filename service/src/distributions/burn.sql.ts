import { sql } from '../platform/postgres/sql.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import type { EntitlementKey, EntitlementRow } from '../sales/entitlements/entitlement.sql.ts'
import type { DistributionKey } from './distribution.sql.ts'

/** Locks paid entitlements that have no burn yet. */
export function lockUnburntEntitlements(tx: Transaction, { tenantId, distributionId }: DistributionKey, limit: number) {
  return tx.rows<Pick<EntitlementRow, 'id' | 'address' | 'units'>>(sql`
    select id, address, units::text as units from cell.entitlement
    where tenant_id = ${tenantId} and distribution_id = ${distributionId} and status = 'paid' and burn_op_id is null
    order by id limit ${limit}::bigint for update`)
}

export async function setBurnOp(
  tx: Transaction,
  { tenantId, entitlementId }: EntitlementKey,
  burnOpId: string,
): Promise<void> {
  const set = await tx.row(sql`
    update cell.entitlement set burn_op_id = ${burnOpId}
    where tenant_id = ${tenantId} and id = ${entitlementId} and status = 'paid' and burn_op_id is null
    returning id`)
  if (!set) throw new Error('an entitlement changed although its row was locked')
}
