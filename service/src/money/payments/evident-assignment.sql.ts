import type { Money } from '../../platform/base/money.ts'
import { readMinor } from '../../platform/postgres/read-money.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { OrderId } from '../../sales/orders/order-transition.sql.ts'

/** The order that a payment is assigned to, and the account that it belongs to. */
export interface AssignedOrder {
  accountId: string
  accountName: string
  /** Encrypted. */
  bankAccount: Buffer
  bankAccountChangedAt: Date | null
  accountCreatedAt: Date
  createdAt: Date
  status: string
  missing: Money
}

export function findAssignedOrder(tx: Transaction, { tenantId, orderId }: OrderId): Promise<AssignedOrder | undefined> {
  return tx
    .row<AssignedOrder>(sql`
    select account.id as "accountId", account.full_name as "accountName", account.bank_account as "bankAccount",
           account.bank_account_changed_at as "bankAccountChangedAt", account.created_at as "accountCreatedAt",
           token_order.created_at as "createdAt", token_order.status, token_order.currency,
           token_order.missing_minor::text as missing
    from cell.token_order
    join cell.account on account.tenant_id = token_order.tenant_id and account.id = token_order.account_id
    where token_order.tenant_id = ${tenantId} and token_order.id = ${orderId}`)
    .then(readMinor('missing'))
}

/** Returns true if the user has created, approved or changed one of these subjects, alone or as a second person. */
export async function hasActedOn(
  tx: Transaction,
  tenantId: string,
  { userId, subjectIds }: { userId: string; subjectIds: readonly string[] },
): Promise<boolean> {
  const found = await tx.row<{ isFound: boolean }>(sql`
    select exists (select from base.audit_log
                   where tenant_id = ${tenantId} and subject_id = any (${subjectIds}::uuid[])
                     and ${userId}::uuid in (actor_id, confirmed_by) and action not like '%.revealed') as "isFound"`)
  return found?.isFound === true
}
