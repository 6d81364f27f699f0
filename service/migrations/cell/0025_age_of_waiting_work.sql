-- Alerts compare how old waiting work is. The time of the payment says nothing about minting: an order may be paid for
-- days before its investor is approved.
set local lock_timeout = '2s';
set local statement_timeout = '1min';

alter table cell.token_order add column if not exists ready_at timestamptz;
grant select (ready_at) on cell.token_order to investor_token_worker;

grant select (
  entry_count, booked_count, unassigned_count, refund_settled_count, refund_failed_count, payment_reversed_count,
  other_count, needs_attention_count, resolved_count
) on cell.bank_statement to investor_token_worker;

grant select (tenant_id, state, created_at) on cell.export to investor_token_worker;
drop policy if exists for_worker on cell.export;
create policy for_worker on cell.export for select to investor_token_worker using (
  exists (select from cell.residence where residence.tenant_id = export.tenant_id and residence.state = 'here'));
