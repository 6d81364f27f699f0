-- Exports: files that operators request, and that workers write piece by piece.

create table cell.export (
  tenant_id uuid not null references cell.tenant (id),
  -- A UUIDv7. The export contains rows with smaller ids: what is created later is not in it.
  id uuid not null,
  kind text not null check (kind in ('orders', 'payments', 'refunds', 'holders', 'audit')),
  -- Ids, states and times; never personal data.
  filter jsonb not null,
  with_personal_data boolean not null,
  state text not null default 'running' check (state in ('running', 'done', 'failed', 'cancelled', 'expired')),
  -- The key of the last exported row; null before the first. Committed with the chunk that contains the row.
  cursor text,
  row_count bigint not null default 0,
  chunk_count integer not null default 0,
  byte_count bigint not null default 0,
  created_by uuid not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  constraint export_finished check ((state = 'running') = (finished_at is null))
);
create index export_running on cell.export (tenant_id, id) where state = 'running';
alter table cell.export enable row level security, force row level security;
create policy of_tenant on cell.export using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.export to investor_token_app;

-- A piece of the file, encrypted by the application for its export and position. The last one is marked inside the
-- encryption, so that a file whose end was removed cannot be read.
create table cell.export_chunk (
  tenant_id uuid not null,
  export_id uuid not null,
  position integer not null check (position >= 0),
  is_last boolean not null,
  content bytea not null,
  primary key (tenant_id, export_id, position),
  foreign key (tenant_id, export_id) references cell.export (tenant_id, id)
);
-- Encrypted data cannot be compressed.
alter table cell.export_chunk alter column content set storage external;
alter table cell.export_chunk enable row level security, force row level security;
create policy of_tenant on cell.export_chunk using (tenant_id = base.current_tenant_id());
grant select, insert, delete, update (content) on cell.export_chunk to investor_token_app;
