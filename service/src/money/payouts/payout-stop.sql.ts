import type pg from 'pg'
import { withoutForcedPolicies } from '../../platform/postgres/restored-database.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'

/**
 * Stops the payouts of all tenants of a restored cell, or of one tenant. Only a superuser sees the rows of all. The
 * bank debits everything sent before the restore by the second bank day after it, or on the day that a payout or a
 * distribution names. Returns the tenants with due refunds.
 */
export function insertPayoutStops(
  client: pg.Client,
  restoredTo: string,
  tenantId?: string,
): Promise<{ tenantId: string; dueRefunds: number; statementsUntil: string }[]> {
  const tables = ['cell.payout_stop', 'cell.tenant', 'cell.payout', 'cell.refund', 'cell.distribution']
  return withoutForcedPolicies(client, tenantId ? [] : tables, async () => {
    await client.query(
      `insert into cell.payout_stop as stopped (tenant_id, restored_to, statements_until)
       select tenant.id, $1, greatest(
         -- Monday to Wednesday: two days later. Thursday and Friday: over the weekend. Saturday and Sunday: Tuesday.
         (now() at time zone 'utc')::date
           + (array[2, 2, 2, 4, 4, 3, 2])[extract(isodow from now() at time zone 'utc')::int],
         (select max(execution_date) from cell.payout
          where payout.tenant_id = tenant.id and status in ('open', 'released')),
         (select max(pay_on) from cell.distribution
          where distribution.tenant_id = tenant.id and status in ('APPROVED', 'PAYING')))
       from cell.tenant where $2::uuid is null or tenant.id = $2
       on conflict (tenant_id) do update
       set restored_to = least(excluded.restored_to, case when stopped.resumed_at is null then stopped.restored_to end),
           statements_until = excluded.statements_until, resumed_at = null, resume_reason = null`,
      [restoredTo, tenantId],
    )
    const { rows } = await client.query<{ tenantId: string; dueRefunds: number; statementsUntil: string }>(
      `select refund.tenant_id as "tenantId", count(*)::int as "dueRefunds",
              min(statements_until)::text as "statementsUntil"
       from cell.refund join cell.payout_stop on payout_stop.tenant_id = refund.tenant_id
       where refund.status = 'due' and ($1::uuid is null or refund.tenant_id = $1)
       group by refund.tenant_id order by refund.tenant_id`,
      [tenantId],
    )
    return rows
  })
}

export interface PayoutStop {
  restoredTo: Date
  /** The first and the last day that statements must cover. */
  from: string
  until: string
  /** True if payouts were resumed by hand, with `maintain resume-payouts`. */
  isResumed: boolean
}

/** Returns undefined if the database was never restored. */
export function findPayoutStop(tx: Transaction, tenantId: string): Promise<PayoutStop | undefined> {
  return tx.row<PayoutStop>(sql`
    select restored_to as "restoredTo", (restored_to at time zone 'utc')::date::text as from,
           statements_until::text as until, resumed_at is not null as "isResumed"
    from cell.payout_stop where tenant_id = ${tenantId}`)
}

/** An account of the tenant that pays refunds, and how far its statements cover the time since the restore. */
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
  { from, until }: PayoutStop,
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

export async function resumePayouts(client: pg.Client, tenantId: string, reason: string): Promise<void> {
  await client.query(`select set_config('app.tenant_id', $1, true)`, [tenantId])
  await client.query(
    `update cell.payout_stop set resumed_at = now(), resume_reason = $2 where tenant_id = $1 and resumed_at is null`,
    [tenantId, reason],
  )
}
