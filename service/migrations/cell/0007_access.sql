-- What a tenant decides for itself. The row is created with the tenant.
create table cell.tenant_settings (
  tenant_id uuid primary key references cell.tenant (id),
  approval_expiry_days integer not null default 7 check (approval_expiry_days between 1 and 30),
  -- How long refunds to changed bank data wait, and how similar the holder must be to the investor.
  refund_hold_days integer not null default 7 check (refund_hold_days between 0 and 90),
  refund_name_similarity_percent integer not null default 60 check (refund_name_similarity_percent between 0 and 100),
  -- How long personal data is kept after the last business with an investor.
  retention_years integer not null default 10 check (retention_years between 1 and 30),
  time_zone text not null default 'UTC' check (length(time_zone) between 1 and 50),
  -- The site that wallet proofs are for; null: that of the installation.
  wallet_proof_url text check (length(wallet_proof_url) between 1 and 300),
  mails_proposals boolean not null default true,
  mails_disabled_endpoints boolean not null default true
);
alter table cell.tenant_settings enable row level security, force row level security;
create policy of_tenant on cell.tenant_settings using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.tenant_settings to investor_token_app;

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
