-- Requests of each credential, kept for 30 days to help integrators debug their calls. Neither bodies nor path ids are
-- stored.
create table cell.request_log (
  tenant_id uuid not null,
  client_id uuid not null,
  -- A UUIDv7: sorts by time.
  id uuid not null,
  -- The UTC day of the response.
  day date not null,
  request_id uuid not null,
  responded_at timestamptz not null,
  method text not null,
  route text not null,
  status smallint not null,
  code text,
  duration_ms real not null,
  idempotency_key text,
  primary key (tenant_id, client_id, id, day)
) partition by range (day);
create index request_log_failed on cell.request_log (tenant_id, client_id, id) where status >= 400;
alter table cell.request_log enable row level security, force row level security;
create policy of_tenant on cell.request_log using (tenant_id = base.current_tenant_id());
grant select, insert on cell.request_log to investor_token_app;
create table cell.request_log_default partition of cell.request_log default;

-- Rolls all partitioned tables. Workers call it every ten minutes.
create function cell.roll_partitions() returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  -- Another process is already rolling them.
  if not pg_try_advisory_xact_lock(hashtextextended('cell.roll_partitions', 0)) then
    return;
  end if;
  perform cell.roll_partitions_of('cell.idempotency', 1);
  perform cell.roll_partitions_of('cell.event', 30);
  perform cell.roll_partitions_of('cell.webhook_delivery', 30);
  perform cell.roll_partitions_of('cell.request_log', 30);
end $$;
revoke all on function cell.roll_partitions() from public;
grant execute on function cell.roll_partitions() to investor_token_worker;
select cell.roll_partitions();
