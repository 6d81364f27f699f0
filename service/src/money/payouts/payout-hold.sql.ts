import type pg from 'pg'
import { withoutForcedPolicies } from '../../platform/db/restored-database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'

/**
 * Holds the payouts of all tenants of a restored cell. Whatever was sent to the bank before the restore is debited until
 * the second bank day after it, or on the execution date of a payout that exists. Returns the tenants with due refunds.
 */
export function insertPayoutHolds(
  client: pg.Client,
  restoredTo: string,
): Promise<{ tenantId: string; dueRefunds: number; statementsUntil: string }[]> {
  return withoutForcedPolicies(client, ['cell.payout_hold', 'cell.tenant', 'cell.payout', 'cell.refund'], async () => {
    await client.query(
      `insert into cell.payout_hold as held (tenant_id, restored_to, statements_until)
       select tenant.id, $1, greatest(
         -- Monday to Wednesday: two days later. Thursday and Friday: over the weekend. Saturday and Sunday: Tuesday.
         (now() at time zone 'utc')::date + (array[2, 2, 2, 4, 4, 3, 2])[extract(isodow from now() at time zone 'utc')::int],
         (select max(execution_date) from cell.payout
          where payout.tenant_id = tenant.id and status in ('open', 'released')))
       from cell.tenant
       on conflict (tenant_id) do update
       set restored_to = least(excluded.restored_to, case when held.lifted_at is null then held.restored_to end),
           statements_until = excluded.statements_until, lifted_at = null, lift_reason = null`,
      [restoredTo],
    )
    const { rows } = await client.query<{ tenantId: string; dueRefunds: number; statementsUntil: string }>(
      `select refund.tenant_id as "tenantId", count(*)::int as "dueRefunds",
              min(statements_until)::text as "statementsUntil"
       from cell.refund join cell.payout_hold on payout_hold.tenant_id = refund.tenant_id
       where refund.status = 'due' group by refund.tenant_id order by refund.tenant_id`,
    )
    return rows
  })
}

export interface PayoutHold {
  restoredTo: Date
  /** The first and the last day that statements must cover. */
  from: string
  until: string
  /** By hand, with `maintain lift-payout-hold`. */
  isLifted: boolean
}

/** Undefined if the database was never restored. */
export function findPayoutHold(tx: Transaction, tenantId: string): Promise<PayoutHold | undefined> {
  return tx.row<PayoutHold>(sql`
    select restored_to as "restoredTo", (restored_to at time zone 'utc')::date::text as from,
           statements_until::text as until, lifted_at is not null as "isLifted"
    from cell.payout_hold where tenant_id = ${tenantId}`)
}

/** An account of the tenant that pays refunds, and what its statements say about the time since the restore. */
export interface AccountCoverage {
  account: string
  currency: string
  beginsInTime: boolean
  reachesEnd: boolean
  gaps: number
  unbooked: number
  needAttention: number
}

export function selectCoverage(
  tx: Transaction,
  tenantId: string,
  { from, until }: PayoutHold,
  accounts: readonly { account: string; currency: string }[],
): Promise<AccountCoverage[]> {
  const isSince = sql`
    statement.tenant_id = ${tenantId} and statement.account = paying.account
    and statement.currency = paying.currency and statement.discarded_at is null`
  const isBooked = sql`
    not waits_for_booking and booked_count + unassigned_count + refund_settled_count + refund_failed_count
      + payment_reversed_count + other_count + needs_attention_count + resolved_count = entry_count`
  return tx.rows<AccountCoverage>(sql`
    select paying.account, paying.currency,
           exists (select from cell.bank_statement statement
                   where ${isSince} and closes_on <= ${from}::date) as "beginsInTime",
           exists (select from cell.bank_statement statement
                   where ${isSince} and closes_on >= ${until}::date) as "reachesEnd",
           (select count(*)::int from cell.bank_statement statement
            where ${isSince} and closes_on >= ${from}::date and continuity = 'gap' and gap_resolution is null) as gaps,
           (select count(*)::int from cell.bank_statement statement
            where ${isSince} and closes_on >= ${from}::date and not (${isBooked})) as unbooked,
           (select count(*)::int from cell.bank_statement statement
            join cell.bank_entry entry on entry.tenant_id = statement.tenant_id and entry.statement_id = statement.id
            where ${isSince} and not entry.is_credit and entry.state = 'needs_attention'
              and entry.booked_on between ${from}::date and ${until}::date) as "needAttention"
    from unnest(${accounts.map(({ account }) => account)}::text[], ${accounts.map(({ currency }) => currency)}::text[])
      paying (account, currency)
    order by paying.account, paying.currency`)
}

/** Returns false if no hold exists that is not lifted. */
export async function liftPayoutHold(client: pg.Client, tenantId: string, reason: string): Promise<boolean> {
  await client.query(`select set_config('app.tenant_id', $1, true)`, [tenantId])
  const { rowCount } = await client.query(
    `update cell.payout_hold set lifted_at = now(), lift_reason = $2 where tenant_id = $1 and lifted_at is null`,
    [tenantId, reason],
  )
  return rowCount === 1
}
