import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { OrderStatus } from './order-status.ts'
import type { OrderWithOffering } from './order-transition.sql.ts'

/** Compares and sets the status of orders. Returns the number that had the status `from`. */
export async function updateStatuses(
  tx: Transaction,
  { tenantId, ids }: { tenantId: string; ids: readonly string[] },
  from: OrderStatus,
  to: OrderStatus,
): Promise<number> {
  const updated = await tx.rows(sql`
    update cell.token_order
    set status = ${to}, ready_at = case when ${to} = 'READYTOMINT' then clock_timestamp() else ready_at end
    where tenant_id = ${tenantId} and id = any (${ids}::uuid[]) and status = ${from}
    returning id`)
  return updated.length
}

/** Moves units of these orders of a tenant from reserved to issued, offering by offering in the order of their ids. */
export async function issueUnits(tx: Transaction, orders: readonly OrderWithOffering[]): Promise<void> {
  const units = new Map<string, bigint>()
  for (const order of orders) units.set(order.offeringId, (units.get(order.offeringId) ?? 0n) + BigInt(order.units))
  const byOffering = [...units].toSorted(([one], [other]) => one.localeCompare(other))
  for (const [offeringId, issued] of byOffering)
    tx.later(sql`
      update cell.offering
      set reserved_units = reserved_units - ${issued}::numeric, issued_units = issued_units + ${issued}::numeric
      where tenant_id = ${orders[0]?.tenantId} and id = ${offeringId}`)
}
