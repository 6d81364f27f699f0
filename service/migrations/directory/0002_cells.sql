-- Cells as rows, so that processes learn of a new cell without a restart, and which processes serve which cells.
set local lock_timeout = '2s';
set local statement_timeout = '1min';

create table directory.cell (
  name text primary key check (name ~ '^[a-z][a-z0-9-]{0,30}$'),
  -- open: new tenants may be created in it. full: no new ones. draining: its tenants are to leave.
  state text not null default 'open' check (state in ('open', 'full', 'draining')),
  -- postgres://host:port/database. Logins and passwords are in the settings. Null: the directory's own database.
  address text check (address ~ '^postgres(ql)?://[^@]+$'),
  -- Location of the data, such as EU or CH; null: not restricted.
  jurisdiction text check (jurisdiction ~ '^[A-Z]{2}$'),
  capacity_bytes bigint not null default 500000000000 check (capacity_bytes > 0),
  -- The size of the database when a worker last measured it.
  used_bytes bigint not null default 0 check (used_bytes >= 0),
  measured_at timestamptz,
  tenant_count bigint not null default 0 check (tenant_count >= 0),
  created_at timestamptz not null default now()
);

-- Tenants that exist already. The policies of their table also apply to its owner, who runs this.
alter table directory.tenant no force row level security;
insert into directory.cell (name, tenant_count) select cell, count(*) from directory.tenant group by cell;
alter table directory.tenant force row level security;

create function directory.count_tenants_of_cell() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    if old.cell = new.cell then
      return null;
    end if;
    update directory.cell set tenant_count = greatest(tenant_count - 1, 0) where name = old.cell;
  end if;
  update directory.cell set tenant_count = tenant_count + 1 where name = new.cell;
  return null;
end $$;
create trigger count_tenants_of_cell after insert or update of cell on directory.tenant
  for each row execute function directory.count_tenants_of_cell();

-- Processes poll the invalidations every second. This id stands for the list of cells.
create function directory.invalidate_cells() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into directory.cache_invalidation (subject, changed_at)
  values ('00000000-0000-0000-0000-000000000000', clock_timestamp());
  return null;
end $$;
create trigger invalidate_cells after insert or delete or update of state, address, jurisdiction on directory.cell
  for each statement execute function directory.invalidate_cells();

-- Workers and indexers that run, and the cells that each of them serves. A row that is not renewed in time counts as
-- one of a dead process. Leases only spread the work: two processes may serve one cell at once.
create table directory.cell_process (
  kind text not null check (kind in ('worker', 'indexer')),
  process uuid not null,
  expires_at timestamptz not null,
  primary key (kind, process)
);
create table directory.cell_lease (
  kind text not null,
  process uuid not null,
  cell text not null references directory.cell (name) on delete cascade,
  primary key (kind, process, cell),
  foreign key (kind, process) references directory.cell_process (kind, process) on delete cascade
);

grant select on directory.cell to investor_token_app;
grant update (used_bytes, measured_at) on directory.cell to investor_token_app;
grant select, insert, update, delete on directory.cell_process, directory.cell_lease to investor_token_app;
