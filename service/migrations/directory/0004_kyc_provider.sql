-- The tenant that a KYC provider reports about. The provider's secrets are in the tenant's cell.
set local lock_timeout = '2s';
set local statement_timeout = '1min';

create table directory.kyc_provider (
  tenant_id uuid not null references directory.tenant (id),
  id uuid not null,
  primary key (tenant_id, id)
);
-- Providers are looked up by id alone, before the tenant is known.
create unique index kyc_provider_id on directory.kyc_provider (id);
alter table directory.kyc_provider enable row level security, force row level security;
create policy of_tenant on directory.kyc_provider
  using (tenant_id = base.current_tenant_id() or id = directory.current_provider_id())
  with check (tenant_id = base.current_tenant_id());
grant select, insert on directory.kyc_provider to investor_token_app;
