-- A cell stores everything that its tenants own. A tenant lives in exactly one cell; an installation has one or more.

grant usage on schema cell to investor_token_app, investor_token_worker;

-- The name of this cell. Processes compare it with their configuration at startup, so that two swapped database URLs
-- cannot route a tenant's rows to the wrong cell.
create table cell.identity (
  singleton boolean primary key default true check (singleton),
  name text not null check (name ~ '^[a-z][a-z0-9-]{0,30}$')
);
grant select on cell.identity, cell.migration to investor_token_app;
-- Every new connection checks that its database is the configured cell.
grant select on cell.identity to investor_token_worker;

-- The root of a tenant's rows in this cell. Like every parent of a paged list, it counts its rows in the statement that
-- inserts one. The count becomes the position of the new row, so a page at any offset is one index seek, and no query
-- counts rows.
create table cell.tenant (
  id uuid primary key,
  account_count bigint not null default 0,
  offering_count bigint not null default 0,
  -- Limits of what is stored in this cell; the others are in the directory. Only maintain set-tenant-limits changes them.
  payment_providers_max integer not null default 20 check (payment_providers_max between 0 and 1000),
  webhook_endpoints_max integer not null default 50 check (webhook_endpoints_max between 0 and 1000),
  created_at timestamptz not null default now()
);
alter table cell.tenant enable row level security, force row level security;
create policy of_tenant on cell.tenant using (id = base.current_tenant_id());
grant select, insert, update (account_count, offering_count, payment_providers_max, webhook_endpoints_max)
  on cell.tenant to investor_token_app;
-- For commands that work on every tenant.
grant select (id) on cell.tenant to investor_token_worker;

-- Whether a tenant is in this cell. Every transaction on its rows checks it first, with cell.enter: each process caches
-- in which cell a tenant is, and may be wrong. A separate table, because cell.tenant is replicated to the other cell
-- when a tenant moves, and the tenant would be in both. Without a row, the tenant is not here.
create table cell.residence (
  tenant_id uuid primary key,
  -- Incremented by each move, like that of the directory. They differ if either was restored to before a move.
  epoch bigint not null default 1 check (epoch > 0),
  state text not null default 'here' check (state in ('here', 'leaving', 'left'))
);
alter table cell.residence enable row level security, force row level security;
create policy of_tenant on cell.residence using (tenant_id = base.current_tenant_id());
grant select on cell.residence to investor_token_app;
create policy for_worker on cell.residence for select to investor_token_worker using (true);
grant select on cell.residence to investor_token_worker;

-- A tenant that is created here is here. Rows that arrive by replication fire no trigger, so an arriving tenant is not
-- here until the move is complete. The app role must not decide where a tenant is, hence security definer.
create function cell.note_residence() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into cell.residence (tenant_id) values (new.id);
  return null;
end $$;
create trigger note_residence after insert on cell.tenant for each row execute function cell.note_residence();

-- Begins a transaction on the rows of a tenant: sets the tenant that row-level security exposes, and fails with IT001
-- if the tenant is not here. Writers share a lock that a move takes exclusively, so a move waits for them, and later
-- ones wait for the move. The lock comes first: the query below then sees what the move has committed.
create function cell.enter(wanted uuid, expected_epoch bigint, writes boolean) returns void language plpgsql as $$
begin
  perform set_config('app.tenant_id', wanted::text, true);
  if writes then
    perform pg_advisory_xact_lock_shared(hashtextextended('cell.residence ' || wanted, 0));
  end if;
  perform from cell.residence where tenant_id = wanted and epoch = expected_epoch and state = 'here';
  if not found then
    raise exception 'the tenant is not in this cell' using errcode = 'IT001';
  end if;
end $$;

-- Workers see the rows of tenants that are here. A tenant that arrives or has left is served by another cell.
create policy for_worker on cell.tenant for select to investor_token_worker using (
  exists (select from cell.residence where residence.tenant_id = tenant.id and residence.state = 'here')
);

-- The keys that encrypt a tenant's sensitive data, each encrypted with a master key that is never stored in the
-- database. New data uses the newest key; older keys only decrypt.
create table cell.data_key (
  tenant_id uuid not null references cell.tenant (id),
  id uuid not null,
  master_key_id text not null,
  wrapped bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id)
);
alter table cell.data_key enable row level security, force row level security;
create policy of_tenant on cell.data_key using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.data_key to investor_token_app;

-- Responses to writes with an idempotency key, kept for 24 hours. A row commits with the write that it belongs to.
create table cell.idempotency (
  tenant_id uuid not null,
  -- SHA-256 of tenant, credential, method, path and key.
  key_hash bytea not null check (length(key_hash) = 32),
  -- The UTC day of the response. Expired rows are dropped with their partition instead of being deleted.
  day date not null,
  status smallint not null check (status between 200 and 299),
  -- The request hash and the response. The application encrypts them, since they contain personal data.
  body bytea not null,
  expires_at timestamptz not null,
  primary key (tenant_id, key_hash, day)
) partition by range (day);
alter table cell.idempotency enable row level security, force row level security;
create policy of_tenant on cell.idempotency using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.idempotency to investor_token_app;
-- Catches rows whose day has no partition, in case no worker has rolled partitions for a week.
create table cell.idempotency_default partition of cell.idempotency default;

-- Creates the daily partitions of the coming week and drops those older than days_kept. Both need an exclusive lock on
-- the table, and waiting for one blocks all later queries: on a short timeout, the call fails and the next run retries.
create function cell.roll_partitions_of(parent regclass, days_kept integer) returns void
  language plpgsql set search_path = '' set lock_timeout = '200ms'
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  wanted date;
  partition record;
  has_strays boolean;
begin
  for wanted in select generate_series(today, today + 7, interval '1 day')::date loop
    continue when to_regclass(format('%s_%s', parent, to_char(wanted, 'YYYYMMDD'))) is not null;
    execute format('select exists (select from %s_default where day = %L)', parent, wanted) into has_strays;
    continue when has_strays;
    execute format(
      'create table %s_%s partition of %s for values from (%L) to (%L)',
      parent, to_char(wanted, 'YYYYMMDD'), parent, wanted, wanted + 1
    );
  end loop;
  for partition in
    select inhrelid::regclass as name, substring(relname from '\d{8}$')::date as day
    from pg_catalog.pg_inherits join pg_catalog.pg_class on pg_class.oid = inhrelid
    where inhparent = parent and relname ~ '\d{8}$'
  loop
    if partition.day < today - days_kept then
      execute format('drop table %s', partition.name);
    end if;
  end loop;
  execute format('delete from %s_default where day < %L', parent, today - days_kept);
end $$;
revoke all on function cell.roll_partitions_of(regclass, integer) from public;
