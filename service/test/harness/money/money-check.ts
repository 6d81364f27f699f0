import assert from 'node:assert/strict'
import { ownerRows } from '../installation/database.ts'
import type { TestInstallation } from '../installation/test-installation.ts'

/**
 * Selects everything that does not balance. Per currency of a tenant and per order, the money received must equal the
 * money applied to orders, refunded, or unassigned. Money received is the booked entries of bank statements plus the
 * payments reported in another way, less the amounts that a bank has reversed.
 */
const moneyCheck = `
  with money_in as (
    select bank_statement.currency, bank_entry.amount from cell.bank_entry
    join cell.bank_statement on bank_statement.tenant_id = bank_entry.tenant_id
      and bank_statement.id = bank_entry.statement_id
    where bank_entry.tenant_id = $1 and bank_entry.state in ('booked', 'unassigned')
    union all
    select bank_statement.currency, -bank_entry.amount from cell.bank_entry
    join cell.bank_statement on bank_statement.tenant_id = bank_entry.tenant_id
      and bank_statement.id = bank_entry.statement_id
    where bank_entry.tenant_id = $1 and bank_entry.state = 'payment_reversed'
    union all
    -- A manual payment that an operator took off its order never was money.
    select currency, amount from cell.payment
    where tenant_id = $1 and unassigned_payment_id is null and not exists (
      select from cell.bank_entry where bank_entry.tenant_id = $1
        and left(bank_entry.fingerprint, 20) = right(payment.provider_reference, 20))
      and (reversed_at is null or provider <> 'manual' or exists (
        select from cell.bank_entry where bank_entry.tenant_id = $1 and bank_entry.state = 'payment_reversed'
          and bank_entry.order_id = payment.order_id and bank_entry.amount = payment.amount))
    union all
    select currency, amount from cell.unassigned_payment
    where tenant_id = $1 and not exists (
      select from cell.bank_entry where bank_entry.tenant_id = $1
        and left(bank_entry.fingerprint, 20) = right(unassigned_payment.provider_reference, 20))
  ), accounted as (
    select currency, paid_amount as amount from cell.token_order where tenant_id = $1
    union all select currency, amount from cell.refund where tenant_id = $1 and status <> 'withdrawn'
    union all select currency, unassigned_amount from cell.unassigned_payment where tenant_id = $1
  ), sums as (
    select currency, coalesce((select sum(amount) from money_in where money_in.currency = one.currency), 0) as received,
           coalesce((select sum(amount) from accounted where accounted.currency = one.currency), 0) as accounted
    from (select currency from money_in union select currency from accounted) one
  )
  select 'all in ' || currency as what, received::text, accounted::text from sums where received <> accounted
  union all
  select 'order ' || token_order.id, received.amount::text, (token_order.paid_amount + owed.amount)::text
  from cell.token_order
  cross join lateral (select coalesce(sum(amount), 0) as amount from cell.payment
                      where payment.tenant_id = $1 and payment.order_id = token_order.id
                        and payment.reversed_at is null) received
  cross join lateral (select coalesce(sum(amount), 0) as amount from cell.refund
                      where refund.tenant_id = $1 and refund.order_id = token_order.id
                        and refund.status <> 'withdrawn') owed
  where token_order.tenant_id = $1 and received.amount <> token_order.paid_amount + owed.amount`

/** Asserts that no money of the tenant is lost or counted twice, in the database of its cell. */
export async function assertMoneyAddsUp(
  { config }: TestInstallation,
  tenantId: string,
  url = config.databaseUrl,
): Promise<void> {
  const rows = await ownerRows(url, moneyCheck, [tenantId])
  assert.deepEqual(rows, [], 'the money received is applied, refunded or unassigned')
}
