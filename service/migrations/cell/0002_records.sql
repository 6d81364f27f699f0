-- Events of a tenant. An event commits with the change that it describes.

-- Writers insert events here without a sequence number, so that writers of the same tenant do not block each other.
create table cell.event_outbox (
  tenant_id uuid not null references cell.tenant (id),
  id uuid not null,
  -- Insertion order: if one change has seen another, its number is larger.
  insertion bigint not null generated always as identity,
  type text not null,
  -- The scope required to read the event; null if only the credential in client_id may read it.
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

-- The last sequence number assigned to an event of the tenant.
create table cell.event_head (
  tenant_id uuid primary key references cell.tenant (id),
  last_sequence bigint not null
);
alter table cell.event_head enable row level security, force row level security;
create policy of_tenant on cell.event_head using (tenant_id = base.current_tenant_id());
grant select on cell.event_head to investor_token_app;

-- Sequenced events, without gaps within a tenant, kept for 30 days.
create table cell.event (
  tenant_id uuid not null,
  sequence bigint not null,
  -- The UTC day on which the sequence number was assigned.
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

-- The worker sequences the events of all tenants. It cannot read sequenced events.
create policy for_worker on cell.event_outbox to investor_token_worker using (true);
create policy for_worker on cell.event_head to investor_token_worker using (true);
create policy for_worker on cell.event to investor_token_worker using (true);
grant select, delete on cell.event_outbox to investor_token_worker;
grant select, insert, update on cell.event_head to investor_token_worker;
grant insert on cell.event to investor_token_worker;
