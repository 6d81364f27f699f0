import type { TestInstallation } from '../service/test/harness/installation/test-installation.ts'
import { type ConsoleBook, rowIdExpression } from './console-rows.ts'
import { collectionAccount, type Owner, setCounters, stride, unitsOfOrder } from './orders.ts'

/** Time and id of the order at a position; $1 is the time of the first one, $2 the time from one to the next. */
const orderMs = '($1::bigint + at * $2::bigint)'
const orderId = rowIdExpression(orderMs, 'at')

/**
 * Adds orders. The oldest nine tenths are minted, cancelled or not paid, the others open: some to accept, on hold or
 * part-paid. Totals repeat, as prices do. Adjacent orders belong to distant accounts.
 */
export async function addConsoleOrders(installation: TestInstallation, book: ConsoleBook): Promise<void> {
  // Two halves in parallel: the checks and conversions of one keep a core busy.
  const half = Math.floor(book.orders / 2)
  await Promise.all([insertOrders(installation, book, 0, half), insertOrders(installation, book, half, book.orders)])
  await installation.owner((owner) => setCounters(owner, book))
}

async function insertOrders(
  installation: TestInstallation,
  { tenantId, offeringId, accounts, orders, startedAtMs, orderEveryMs }: ConsoleBook,
  from: number,
  to: number,
): Promise<void> {
  const values = [startedAtMs, orderEveryMs, tenantId, offeringId, accounts, collectionAccount, from, to, orders]
  await installation.owner(async (owner) => {
    await owner.query('set session_replication_role = replica')
    await owner.query(
      `insert into cell.token_order (tenant_id, id, offering_id, account_id, offering_position, account_position,
                                     status, units, price_per_token, total_amount, paid_amount, currency,
                                     payment_provider, payment_bank_account, paid_at, cancelled_at, payment_reference,
                                     payment_due_at, acceptance_required, mint_hold_reason, created_at)
       select $3, ${orderId}, $4, account.id, at, at / $5::bigint, state.status, ${unitsOfOrder}, 12.50, state.total,
              case when state.status in ('PAID', 'READYTOMINT', 'MINTED') then state.total
                   when state.status = 'ORDERED' and at % 50 = 0 then 10 else 0 end,
              'EUR', 'bank_transfer', $6::jsonb,
              case when state.status in ('PAID', 'READYTOMINT', 'MINTED') then made.time end,
              case state.status when 'CANCELLED' then made.time end, ${referenceAt('at')},
              case state.status when 'ORDERED' then now() + at % 14 * interval '1 day'
                                else made.time + interval '14 days' end,
              state.status = 'PAID' and at % 10 = 0,
              case when state.status = 'READYTOMINT' and at % 100 = 0 then 'The mint reverted.' end, made.time
       from generate_series($7::bigint, $8::bigint - 1) at
       join cell.account on account.tenant_id = $3 and account.position = at * ${stride} % $5::bigint
       cross join lateral (select to_timestamp(${orderMs} / 1000.0) as time) made
       cross join lateral (
         select 12.50 * (1 + at % 400) as total, coalesce(
           case
             when at < $9::bigint * 9 / 10 then (array['CANCELLED', 'NOPAYMENT'])[at % 20 + 1]
             else (array['PAID', 'PAID', 'READYTOMINT', 'ORDERED', 'ORDERED', 'ORDERED', 'ORDERED'])[at % 7 + 1]
           end, 'MINTED') as status
       ) state`,
      values,
    )
    await owner.query(
      `insert into cell.search_term (tenant_id, kind, term, subject_id)
       select $3, 'order', lower(${referenceAt('at')}), ${orderId}
       from generate_series($4::bigint, $5::bigint - 1) at`,
      [startedAtMs, orderEveryMs, tenantId, from, to],
    )
  })
}

/** The payment reference of the order at a position, in SQL. */
function referenceAt(position: string): string {
  return `'RF18' || lpad((${position})::text, 12, '0')`
}

/** Adds refunds: cancelled orders were paid. Nearly all refunds are settled, the others are due, sent or failed. */
export async function addRefunds(owner: Owner, { tenantId }: ConsoleBook): Promise<void> {
  await owner.query('set session_replication_role = replica')
  await owner.query(
    `insert into cell.refund (tenant_id, id, order_id, reason, amount, currency, status, created_at, changed_at)
     select tenant_id, id, id, case status when 'CANCELLED' then 'cancelled' else 'late' end, total_amount, currency,
            case offering_position / 20 % 50 when 0 then 'due' when 1 then 'sent' when 2 then 'failed'
                                             else 'settled' end,
            coalesce(cancelled_at, payment_due_at), coalesce(cancelled_at, payment_due_at)
     from cell.token_order
     where tenant_id = $1 and (status = 'CANCELLED' or status = 'NOPAYMENT' and offering_position % 3000 = 1)`,
    [tenantId],
  )
}

/** Adds blockers by those rules of order-blocker.sql.ts that apply to these orders. */
export async function addBlockers(owner: Owner, { tenantId }: ConsoleBook): Promise<void> {
  await owner.query('set session_replication_role = replica')
  await owner.query(
    `insert into cell.order_blocker (tenant_id, code, order_id)
     select token_order.tenant_id, rule.code, token_order.id
     from cell.token_order
     join cell.account on account.tenant_id = token_order.tenant_id and account.id = token_order.account_id
     cross join lateral (
       values ('wallet_missing', account.wallet_count = 0), ('approval_missing', account.kyc_status <> 'APPROVED'),
              ('mint_on_hold', token_order.mint_hold_reason is not null)
     ) as rule (code, applies)
     where token_order.tenant_id = $1 and token_order.status in ('ORDERED', 'NOPAYMENT', 'PAID', 'READYTOMINT')
       and rule.applies
     order by rule.code, token_order.id`,
    [tenantId],
  )
}

/** Adds sums, as if each order and refund had got its status on the day on which it was created. */
export async function addSums(owner: Owner, { tenantId, offeringId }: ConsoleBook): Promise<void> {
  await owner.query(
    `insert into cell.daily_sum (tenant_id, offering_id, day, measure, amount)
     select $1, offering_id, day, measure.name, sum(measure.amount)
     from (
       select offering_id, (created_at at time zone 'utc')::date as day, status, count(*) as orders,
              sum(units) as units, sum(total_minor) as amount, trunc(sum(paid_amount) * 100) as received
       from cell.token_order where tenant_id = $1 group by 1, 2, 3
     ) summed
     cross join lateral (
       values ('orders ' || status, orders), ('units ' || status, units), ('amount ' || status, amount),
              ('received', received)
     ) as measure (name, amount)
     group by offering_id, day, measure.name
     union all
     select $1, $2, (created_at at time zone 'utc')::date, measure.name, sum(measure.amount)
     from cell.refund
     cross join lateral (
       values ('refunds ' || status, 1), ('refund amount ' || status, trunc(amount * 100))
     ) as measure (name, amount)
     where tenant_id = $1 group by 3, 4`,
    [tenantId, offeringId],
  )
  await owner.query(
    `insert into cell.offering_sum (tenant_id, offering_id, measure, amount)
     select tenant_id, offering_id, measure, sum(amount) from cell.daily_sum where tenant_id = $1 group by 1, 2, 3`,
    [tenantId],
  )
}

/** Adds an event for each of the newest orders, because events are kept for 30 days. */
export async function addOrderEvents(owner: Owner, { tenantId, orders }: ConsoleBook): Promise<void> {
  const count = Math.ceil(orders / 20)
  await owner.query(
    `insert into cell.event (tenant_id, sequence, day, id, type, scope, version, data, created_at)
     select tenant_id, offering_position - $2::bigint + 1, current_date, gen_random_uuid(),
            case offering_position % 2 when 0 then 'order.created' else 'order.paid' end, 'order.read',
            '2026-07-02', jsonb_build_object('order_id', id, 'account_id', account_id, 'offering_id', offering_id),
            created_at
     from cell.token_order where tenant_id = $1 and offering_position >= $2::bigint order by offering_position`,
    [tenantId, orders - count],
  )
  await owner.query(
    `insert into cell.event_head (tenant_id, last_sequence) values ($1, $2)
     on conflict (tenant_id) do update set last_sequence = excluded.last_sequence`,
    [tenantId, count],
  )
}
