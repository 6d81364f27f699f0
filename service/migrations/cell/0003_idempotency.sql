-- The answers to writes that carried a key, for 24 hours. A row commits with the effect that it answers for.
create table cell.idempotency (
  tenant_id uuid not null,
  -- SHA-256 over tenant, credential, method, path and key.
  key_hash bytea not null check (length(key_hash) = 32),
  -- The day of the answer, in UTC: what is two days old goes with its partition, without a delete.
  day date not null,
  status smallint not null check (status between 200 and 299),
  -- The hash of the request and the answer to it, which hold personal data: encrypted by the application.
  body bytea not null,
  expires_at timestamptz not null,
  primary key (tenant_id, key_hash, day)
) partition by range (day);
alter table cell.idempotency enable row level security, force row level security;
create policy of_tenant on cell.idempotency using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.idempotency to investor_token_app;

-- Catches rows of a day that has no partition, should nobody have rolled them for a week.
create table cell.idempotency_default partition of cell.idempotency default;

-- Makes the partitions of the coming week and drops those whose rows have all expired. Workers run it every ten minutes. It
-- needs the table for itself for a moment: where it does not get it at once, it gives up and leaves it to the next time,
-- since whoever waits for such a lock makes everybody else wait.
create function cell.roll_idempotency_partitions() returns void
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  wanted date;
  partition record;
begin
  -- One at a time; who comes second has nothing to do.
  if not pg_try_advisory_xact_lock(hashtextextended('cell.roll_idempotency_partitions', 0)) then
    return;
  end if;
  for wanted in select generate_series(today, today + 7, interval '1 day')::date loop
    continue when to_regclass(format('cell.idempotency_%s', to_char(wanted, 'YYYYMMDD'))) is not null;
    continue when exists (select from cell.idempotency_default where day = wanted);
    execute format(
      'create table cell.idempotency_%s partition of cell.idempotency for values from (%L) to (%L)',
      to_char(wanted, 'YYYYMMDD'), wanted, wanted + 1
    );
  end loop;
  for partition in
    select inhrelid::regclass as name, substring(relname from '\d{8}$')::date as day
    from pg_catalog.pg_inherits join pg_catalog.pg_class on pg_class.oid = inhrelid
    where inhparent = 'cell.idempotency'::regclass and relname ~ '\d{8}$'
  loop
    if partition.day < today - 1 then
      execute format('drop table %s', partition.name);
    end if;
  end loop;
  delete from cell.idempotency_default where expires_at < now();
end $$;
revoke all on function cell.roll_idempotency_partitions() from public;
grant usage on schema cell to investor_token_worker;
grant execute on function cell.roll_idempotency_partitions() to investor_token_worker;
select cell.roll_idempotency_partitions();
