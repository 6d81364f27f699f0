import { join, raw, type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { type AccountKey, accountApproval } from '../accounts/account.sql.ts'
import { type Ineligibility, ineligibilities, orderIneligibility } from './ineligibility.sql.ts'

// cell.order_blocker stores the blockers that depend on more than the status and the offering of an order, so that a
// list finds few orders among millions. Rows change with the account (updateBlockersOfAccount) and with the order
// (updateBlockers); order-blockers.test.ts compares them with blockers.ts after random commands. A blocker that depends
// on the offering alone has none: each of its orders would need one.

const conditions = {
  approval_missing: sql`${accountApproval} <> 'APPROVED'`,
  benefiting_person_missing: sql`account.type = 'COMPANY' and account.benefiting_person_count = 0`,
  wallet_missing: sql`
    not exists (
      select from cell.wallet
      where wallet.tenant_id = token_order.tenant_id and wallet.account_id = token_order.account_id
        and wallet.status = 'ACTIVE' and wallet.blockchain = offering.blockchain)`,
  acceptance_missing: sql`offering.acceptance_required and token_order.accepted_at is null`,
  mint_on_hold: sql`token_order.status = 'READYTOMINT' and token_order.mint_hold_reason is not null`,
}
const storedRules = join(
  Object.entries(conditions).map(([code, condition]) => sql`(${raw(`'${code}'`)}, ${condition})`),
)

/** Blockers that have rows. */
export type StoredBlocker = keyof typeof conditions | Ineligibility

export function isStored<Code extends string>(code: Code | undefined): code is Code & StoredBlocker {
  return code !== undefined && [...Object.keys(conditions), ...ineligibilities].includes(code)
}

/** Orders that something can block. Rows of any other order are not read. */
export const canBeBlocked: Sql = sql`token_order.status in ('ORDERED', 'NOPAYMENT', 'PAID', 'READYTOMINT')`

/** Selects the blockers of the orders of a tenant that match the condition. */
function currentBlockers(tenantId: string, isWanted: Sql): Sql {
  return sql`
    select token_order.id as order_id, rule.code
    from cell.token_order
    join cell.account on account.tenant_id = token_order.tenant_id and account.id = token_order.account_id
    join cell.offering on offering.tenant_id = token_order.tenant_id and offering.id = token_order.offering_id
    cross join lateral (
      select unnest(${orderIneligibility}) as code, true as applies
      union all values ${storedRules}
    ) as rule
    where token_order.tenant_id = ${tenantId} and ${isWanted} and ${canBeBlocked} and rule.applies`
}

/** Stores the current blockers of one order, for example a new one. Its account must be locked. */
export async function insertBlockers(tx: Transaction, tenantId: string, orderId: string): Promise<void> {
  tx.later(sql`
    insert into cell.order_blocker (tenant_id, code, order_id)
    select ${tenantId}, code, order_id from (${currentBlockers(tenantId, sql`token_order.id = ${orderId}`)}) found
    on conflict do nothing`)
}

/**
 * Updates the blockers of all orders of an account in the transaction that changes the account or one of its wallets.
 * Locks the account first, as a new order does, so that no order is missed and none gets outdated blockers.
 */
export async function updateBlockersOfAccount(tx: Transaction, { tenantId, accountId }: AccountKey): Promise<void> {
  const ofAccount = sql`token_order.account_id = ${accountId}`
  await tx.batch(
    (tx) =>
      tx.rows(sql`
      select from cell.account where tenant_id = ${tenantId} and id = ${accountId} for no key update`),
    (tx) =>
      tx.rows(sql`
      with found as (${currentBlockers(tenantId, ofAccount)}), removed as (
        delete from cell.order_blocker using cell.token_order
        where token_order.tenant_id = ${tenantId} and ${ofAccount} and ${canBeBlocked}
          and order_blocker.tenant_id = ${tenantId} and order_blocker.order_id = token_order.id
          and not exists (
            select from found where found.order_id = order_blocker.order_id and found.code = order_blocker.code)
      )
      insert into cell.order_blocker (tenant_id, code, order_id)
      select ${tenantId}, code, order_id from found
      on conflict do nothing`),
  )
}

/** Stores the blockers of an order again, for example after its mint has failed. Locks the account. */
export async function restoreBlockers(
  tx: Transaction,
  { tenantId, accountId, id }: { tenantId: string; accountId: string; id: string },
): Promise<void> {
  await tx.batch(
    (tx) => tx.rows(sql`select from cell.account where tenant_id = ${tenantId} and id = ${accountId} for share`),
    (tx) => deleteBlockers(tx, { tenantId, id }, sql`true`),
    (tx) => insertBlockers(tx, tenantId, id),
  )
}

/** Deletes all blockers of orders that can no longer be blocked. */
export async function deleteAllBlockers(tx: Transaction, tenantId: string, orderIds: readonly string[]): Promise<void> {
  tx.later(sql`
    delete from cell.order_blocker where tenant_id = ${tenantId} and order_id = any (${orderIds}::uuid[])`)
}

export async function deleteBlockers(
  tx: Transaction,
  { tenantId, id }: { tenantId: string; id: string },
  isCleared: Sql,
): Promise<void> {
  await tx.rows(sql`
    delete from cell.order_blocker where tenant_id = ${tenantId} and order_id = ${id} and ${isCleared}`)
}
