-- What happened, for whoever follows a tenant: a change and its event commit together.

-- Where writers put events. They have no number yet, so that the writers of a tenant need not wait for each other.
create table cell.event_outbox (
  tenant_id uuid not null references cell.tenant (id),
  id uuid not null,
  -- The order of insertion. Of two changes of which one saw the other, the later one has the larger number.
  insertion bigint not null generated always as identity,
  type text not null,
  -- The scope that may read it; null where it is for one credential alone.
  scope text,
  client_id uuid,
  version date not null,
  data jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  constraint event_outbox_reader check (num_nonnulls(scope, client_id) = 1)
);
create index event_outbox_insertion on cell.event_outbox (insertion);
alter table cell.event_outbox enable row level security, force row level security;
create policy of_tenant on cell.event_outbox using (tenant_id = base.current_tenant_id());
grant select, insert on cell.event_outbox to investor_token_app;

-- How far the numbers of a tenant have come.
create table cell.event_head (
  tenant_id uuid primary key references cell.tenant (id),
  last_sequence bigint not null
);
alter table cell.event_head enable row level security, force row level security;
create policy of_tenant on cell.event_head using (tenant_id = base.current_tenant_id());
grant select on cell.event_head to investor_token_app;

-- Numbered without a gap for each tenant, kept for 30 days.
create table cell.event (
  tenant_id uuid not null,
  sequence bigint not null,
  -- The day on which it was numbered, in UTC.
  day date not null,
  id uuid not null,
  type text not null,
  scope text,
  client_id uuid,
  version date not null,
  data jsonb not null,
  created_at timestamptz not null,
  primary key (tenant_id, sequence, day)
) partition by range (day);
create index event_scope on cell.event (tenant_id, scope, sequence);
create index event_client on cell.event (tenant_id, client_id, sequence) where client_id is not null;
create index event_id on cell.event (tenant_id, id);
alter table cell.event enable row level security, force row level security;
create policy of_tenant on cell.event using (tenant_id = base.current_tenant_id());
grant select on cell.event to investor_token_app;
create table cell.event_default partition of cell.event default;

-- The worker numbers the events of all tenants, and has no other right to them.
create policy for_worker on cell.event_outbox to investor_token_worker using (true);
create policy for_worker on cell.event_head to investor_token_worker using (true);
create policy for_worker on cell.event to investor_token_worker using (true);
grant select, delete on cell.event_outbox to investor_token_worker;
grant select, insert, update on cell.event_head to investor_token_worker;
grant insert on cell.event to investor_token_worker;

-- Partitions by day of a table: those of the coming week are made, those older than so many days dropped. It needs the
-- table for itself for a moment: where it does not get it at once, it gives up and leaves it to the next time, since
-- whoever waits for such a lock makes everybody else wait.
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

-- Workers run it every ten minutes.
create function cell.roll_partitions() returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  -- One at a time; who comes second has nothing to do.
  if not pg_try_advisory_xact_lock(hashtextextended('cell.roll_partitions', 0)) then
    return;
  end if;
  perform cell.roll_partitions_of('cell.idempotency', 1);
  perform cell.roll_partitions_of('cell.event', 30);
end $$;
revoke all on function cell.roll_partitions() from public;
grant execute on function cell.roll_partitions() to investor_token_worker;
drop function cell.roll_idempotency_partitions();
select cell.roll_partitions();
