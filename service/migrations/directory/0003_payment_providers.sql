-- Which tenant a payment provider tells of payments to. Its secrets are in the tenant's cell.

-- The provider that is being named in this transaction, or null; see directory.presented_client_id().
create function directory.presented_provider_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.provider_id', true), '')::uuid;

create table directory.payment_provider (
  tenant_id uuid not null references directory.tenant (id),
  id uuid not null,
  primary key (tenant_id, id)
);
-- A provider is looked up by its id alone, before the tenant is known.
create unique index payment_provider_id on directory.payment_provider (id);
alter table directory.payment_provider enable row level security, force row level security;
create policy of_tenant on directory.payment_provider
  using (tenant_id = base.current_tenant_id() or id = directory.presented_provider_id())
  with check (tenant_id = base.current_tenant_id());
grant select, insert on directory.payment_provider to investor_token_app;
